// One file from its upload to its result, step by step. Each step is in the journal before the next one begins, and a
// later run goes on from there.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/remote/download.hpp"
#include "app/remote/order.hpp"
#include "app/remote/plan.hpp"

namespace tessera::remote {

class FileJob {
  public:
    // What the files of a batch share.
    struct Shared {
        Calls& calls;
        const Service& service;
        Journal& journal;
        Uploads& uploads;
        Slots& slots;
        const Order& order;
        std::function<void(const Refusal&)> stop;  // the whole batch, for a reason that meets every file
        std::function<bool()> stopping;
    };

    FileJob(Shared& shared, Work work);
    FileJob(const FileJob&) = delete;
    FileJob& operator=(const FileJob&) = delete;

    void begin();

    [[nodiscard]] bool ended() const { return ended_; }
    [[nodiscard]] const FileReport& report() const { return report_; }

    // Whether what is in the result's place was put there by an earlier run, and is as it was: it may be replaced.
    static bool made_before(const Journal& journal, const Order& order, const Service& service, const Work& work);

  private:
    bool read_input();
    bool knows_input(const Entry& known);
    bool read_content();
    void go_on();
    void start_anew();
    void upload();
    void submit();
    void take_submission(const Answer& answer);
    void ask_job(Millis not_before);
    void take_job(const boost::json::object& job, bool waited);
    void take_failure(const boost::json::object& job);
    void name_results(const std::vector<boost::json::object>& artifacts);
    void fetch_next();
    void ask_artifact(const std::string& id);
    void download(const std::string& url);
    void take_download(const Answer& answer);
    void put_in_place();

    static std::string new_key();
    bool put();  // into the journal
    bool start_anew_once();
    void free_slot();
    void refuse(Refusal refusal);  // ends the file, or all of them
    void fail(Refusal refusal);
    void end(Ending ending);

    Shared& shared_;
    const Work work_;
    Entry entry_;
    FileReport report_;
    struct Wanted {
        boost::json::object artifact;
        std::filesystem::path output;
    };
    std::vector<Wanted> wanted_;  // in the order of the job; the last is the one that is being fetched
    std::unique_ptr<Download> download_;
    bool has_slot_ = false;
    bool started_anew_ = false;
    int downloads_ = 0;
    bool ended_ = false;
};

}  // namespace tessera::remote
