// A second picture over the results of a resize: its options, its place, and how it gets there.
#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <optional>

#include "imaging/picture/open.hpp"
#include "imaging/pixels/fit.hpp"
#include "operations/caps.hpp"
#include "operations/option_table.hpp"
#include "operations/run.hpp"

namespace tessera::operations {

Option overlay_option();
Result<void> check_overlay(const boost::json::object& given, const boost::json::object& options);
// What is returned with the job may be sent again, so it names one kind of place only.
void name_one_place(boost::json::object& options);
// Looks the asset up and counts it among the sources.
Result<void> add_overlay(const boost::json::object& options, const SubmitContext& context, Workload& work);

// Where the overlay lies in a result: its size, and its top left.
struct OverlayPlace {
    imaging::Size size;
    imaging::Offset at;
};
OverlayPlace overlay_place(const boost::json::object& overlay, imaging::Size own, imaging::Size result);

class Overlay {
  public:
    // Nothing where none is asked for.
    static JobResult<std::optional<Overlay>> open(const RunContext& context);
    [[nodiscard]] JobResult<imaging::Image> over(const imaging::Image& image) const;

  private:
    Overlay() = default;
    boost::json::object options_;
    std::shared_ptr<UniqueFd> file_;
    imaging::Source source_;
    imaging::Size displayed_;
};

}  // namespace tessera::operations
