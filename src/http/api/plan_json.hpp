// A plan as the interface shows it.
#pragma once

#include <boost/json/object.hpp>

#include "core/plan.hpp"

namespace tessera::http {

boost::json::object plan_object(const Plan& plan);

}  // namespace tessera::http
