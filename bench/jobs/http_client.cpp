#include "http_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cstdlib>
#include <stdexcept>

namespace tessera::bench {

HttpClient::HttpClient(int port, const std::string& api_key) : port_(port) {
    use_key(api_key);
}

void HttpClient::use_key(const std::string& api_key) {
    headers_ = "Host: 127.0.0.1\r\nAuthorization: Bearer " + api_key + "\r\n";
}

void HttpClient::connect() {
    socket_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        throw std::runtime_error("cannot connect");
    }
    const int on = 1;
    ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    buffer_.clear();
}

HttpAnswer HttpClient::get(const std::string& path) {
    return exchange("GET " + path + " HTTP/1.1\r\n" + headers_ + "\r\n");
}

HttpAnswer HttpClient::post(const std::string& path, const std::string& body) {
    return send(path, "application/json", body);
}

HttpAnswer HttpClient::upload(const std::string& path, const std::string& picture) {
    return send(path, "multipart/form-data; boundary=bench",
                "--bench\r\nContent-Disposition: form-data; name=\"file\"; filename=\"bench.png\"\r\n\r\n" + picture +
                    "\r\n--bench--\r\n");
}

HttpAnswer HttpClient::send(const std::string& path, const std::string& type, const std::string& body) {
    return exchange("POST " + path + " HTTP/1.1\r\n" + headers_ + "Content-Type: " + type +
                    "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

HttpAnswer HttpClient::exchange(const std::string& request) {
    if (!socket_) connect();
    if (::send(socket_.get(), request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size())) {
        throw std::runtime_error("cannot send");
    }
    char piece[16 * 1024];
    std::size_t head_end = std::string::npos;
    std::size_t length = 0;
    while (true) {
        if (head_end == std::string::npos && (head_end = buffer_.find("\r\n\r\n")) != std::string::npos) {
            head_end += 4;
            const std::size_t at = buffer_.find("ontent-Length: ");
            length = at < head_end ? std::strtoull(buffer_.c_str() + at + 15, nullptr, 10) : 0;
        }
        if (head_end != std::string::npos && buffer_.size() >= head_end + length) break;
        const ssize_t got = ::recv(socket_.get(), piece, sizeof piece, 0);
        if (got <= 0) throw std::runtime_error("the server closed the connection");
        buffer_.append(piece, static_cast<std::size_t>(got));
    }
    HttpAnswer answer{std::atoi(buffer_.c_str() + 9), buffer_.substr(head_end, length)};
    buffer_.erase(0, head_end + length);
    return answer;
}

std::string_view text_field(std::string_view json, std::string_view name) {
    const std::string start = "\"" + std::string(name) + "\":\"";
    const std::size_t at = json.find(start);
    if (at == std::string_view::npos) return {};
    json.remove_prefix(at + start.size());
    return json.substr(0, json.find('"'));
}

}  // namespace tessera::bench
