#include "http/metrics/open_metrics.hpp"

#include <charconv>
#include <cmath>
#include <map>

#include "core/hex.hpp"

namespace tessera::http {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

// The shortest text that is this number again.
std::string number(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// As OpenMetrics wants it in `le`: 0.0001 and not 1e-04, and whole numbers with a point.
std::string upper_bound(double value) {
    if (std::isinf(value)) return "+Inf";
    char digits[32];
    std::string text(digits, std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general).ptr);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

void append_escaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        if (c == '\\' || c == '"') out += '\\';
        if (c == '\n') {
            out += "\\n";
        } else {
            out += c;
        }
    }
}

std::string labels_text(const MetricLabels& labels) {
    std::string out;
    for (const auto& [name, value] : labels) {
        if (!out.empty()) out += ',';
        out += name + "=\"";
        append_escaped(out, value);
        out += '"';
    }
    return out;
}

class Page {
  public:
    explicit Page(std::span<const SeriesExemplars> exemplars) {
        for (const SeriesExemplars& series : exemplars) {
            exemplars_[key(describe(series.metric).name, labels_text(series.labels))] = &series.buckets;
        }
    }

    void add(const MetricFamily& family) {
        std::string_view name = family.name;
        if (family.type == MetricType::Counter && name.ends_with("_total")) name.remove_suffix(6);
        add_line("# TYPE ", name, " ", type_of(family.type));
        out_.append("# HELP ").append(name).append(" ");
        append_escaped(out_, family.help);
        out_ += '\n';
        for (const ClientMetric& metric : family.metric) {
            const std::string labels = labels_text(metric.label);
            switch (family.type) {
                case MetricType::Counter: add_sample(name, "_total", labels, number(metric.counter.value)); break;
                case MetricType::Gauge: add_sample(name, "", labels, number(metric.gauge.value)); break;
                case MetricType::Histogram: add_histogram(name, labels, metric.histogram); break;
                default: break;
            }
        }
    }

    std::string take() {
        out_ += "# EOF\n";
        return std::move(out_);
    }

  private:
    static std::string key(std::string_view name, const std::string& labels) {
        return std::string(name) + "{" + labels;
    }

    static std::string_view type_of(MetricType type) {
        switch (type) {
            case MetricType::Counter: return "counter";
            case MetricType::Gauge: return "gauge";
            case MetricType::Histogram: return "histogram";
            default: return "unknown";
        }
    }

    template <typename... Parts>
    void add_line(const Parts&... parts) {
        (out_.append(parts), ...);
        out_ += '\n';
    }

    void begin_sample(std::string_view name, std::string_view ending, const std::string& labels) {
        out_.append(name).append(ending);
        if (!labels.empty()) out_.append("{").append(labels).append("}");
        out_ += ' ';
    }

    void add_sample(std::string_view name, std::string_view ending, const std::string& labels,
                    const std::string& value) {
        begin_sample(name, ending, labels);
        add_line(value);
    }

    void add_histogram(std::string_view name, const std::string& labels, const ClientMetric::Histogram& histogram) {
        const auto found = exemplars_.find(key(name, labels));
        const Exemplars::Buckets* known = found == exemplars_.end() ? nullptr : found->second;
        for (std::size_t i = 0; i < histogram.bucket.size(); ++i) {
            const auto& bucket = histogram.bucket[i];
            const std::string bound = "le=\"" + upper_bound(bucket.upper_bound) + "\"";
            begin_sample(name, "_bucket", labels.empty() ? bound : labels + "," + bound);
            out_ += std::to_string(bucket.cumulative_count);
            if (known != nullptr && i < known->size() && (*known)[i]) add_exemplar(*(*known)[i]);
            out_ += '\n';
        }
        add_sample(name, "_count", labels, std::to_string(histogram.sample_count));
        add_sample(name, "_sum", labels, number(histogram.sample_sum));
    }

    void add_exemplar(const Exemplar& exemplar) {
        const auto at = std::chrono::duration_cast<std::chrono::milliseconds>(exemplar.at.time_since_epoch());
        const std::string millis = std::to_string(1000 + at.count() % 1000);
        out_.append(" # {trace_id=\"")
            .append(to_hex(exemplar.trace_id))
            .append("\"} ")
            .append(number(exemplar.seconds));
        out_.append(" ").append(std::to_string(at.count() / 1000)).append(".").append(millis, 1, 3);
    }

    std::map<std::string, const Exemplars::Buckets*> exemplars_;  // by name and labels
    std::string out_;
};

}  // namespace

std::string to_open_metrics(std::span<const MetricFamily> families, std::span<const SeriesExemplars> exemplars) {
    Page page(exemplars);
    for (const MetricFamily& family : families) page.add(family);
    return page.take();
}

void add_exemplars(std::vector<SeriesExemplars>& to, SeriesExemplars series) {
    for (const auto& bucket : series.buckets) {
        if (bucket) return to.push_back(std::move(series));
    }
}

}  // namespace tessera::http
