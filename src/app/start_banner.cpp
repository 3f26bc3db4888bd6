#include "app/start_banner.hpp"

#include "app/version.hpp"

namespace tessera::app {
namespace {

// An address to paste: what listens everywhere is reached on this machine.
std::string reachable(const std::string& address) {
    const std::size_t colon = address.rfind(':');
    const std::string host = address.substr(0, colon);
    const bool everywhere = host == "0.0.0.0" || host == "[::]";
    return "http://" + (everywhere ? "127.0.0.1" : host) + address.substr(colon);
}

std::string joined(const std::vector<std::string>& items) {
    std::string all;
    for (const std::string& item : items) (all += all.empty() ? "" : ", ") += "http://" + item;
    return all;
}

}  // namespace

std::string StartBanner::text() const {
    std::string out = "Tessera " + std::string(version) + " is ready.\n\n";
    const auto line = [&](std::string label, const std::string& value) {
        label.resize(10, ' ');
        out += "  " + label + value + "\n";
    };
    const std::string url = addresses.empty() ? "" : reachable(addresses.front());
    if (has_console) line("open", url + "/   (the console)");
    line("listens", joined(addresses));
    if (!admin_addresses.empty()) line("admin", joined(admin_addresses));
    if (!operator_addresses.empty()) line("operators", joined(operator_addresses));
    line("data", data_folder);
    line("database", database);
    line("blobs", blobs);
    line("workers", worker_slots > 0 ? std::to_string(worker_slots) + " jobs at once" : "none here");
    line("sandbox", sandbox);
    if (demo_operator)
        line("operator", demo_operator->name + ", password " + demo_operator->password + "   (shown this once)");
    if (!demo) {
        if (plan_for_first_account.empty()) return out;
        return out + "\nMake an account and a key:\n  " + admin + " account create --slug me --name Me --plan " +
               plan_for_first_account + "\n  " + admin + " key create --account me --name first\n";
    }
    if (!demo->api_key) {
        return out + "\nThe demo account is there; its key was shown when it was made. For another one:\n  " + admin +
               " key create --account " + demo->slug + " --name another\n";
    }
    line("demo key", *demo->api_key + "   (shown this once)");
    if (has_console) out += "\nOpen " + url + "/ in a browser and sign in with the demo key.\n";
    out +=
        "\nTry it, the last line with a picture of yours:\n"
        "  export URL=" +
        url + " KEY=" + *demo->api_key +
        "\n"
        "  curl -s $URL/v1/account -H \"X-API-Key: $KEY\"\n"
        "  curl -s $URL/v1/assets -H \"X-API-Key: $KEY\" -F file=@photo.jpg\n";
    return out;
}

}  // namespace tessera::app
