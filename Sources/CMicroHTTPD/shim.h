// libmicrohttpd as Swift can use it: functions with any number of arguments cannot be called from there, and how C's enums look
// there depends on the library's version. Nothing here decides anything.
#ifndef DAILYMETRICD_CMICROHTTPD_H
#define DAILYMETRICD_CMICROHTTPD_H

#include <microhttpd.h>
#include <stddef.h>

// Who hears of connections and answers requests.
struct http_host {
  void *context;
  // Must call http_reply; else the connection is closed.
  void (*answer)(void *context, struct MHD_Connection *connection, const char *method, const char *path);
  void (*came)(void *context, struct MHD_Connection *connection, int socket);
  void (*left)(void *context, struct MHD_Connection *connection);
};

// What a client may take up.
struct http_limits {
  unsigned int connections;
  size_t bytes_per_connection;
  unsigned int seconds_of_silence;
};

static inline enum MHD_Result http_on_request(
    void *host, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
    const char *body, size_t *body_size, void **request) {
  struct http_host *http_host = (struct http_host *)host;
  (void)version, (void)body, (void)body_size, (void)request;
  http_host->answer(http_host->context, connection, method, path);
  return MHD_YES;
}

static inline void http_on_connection(
    void *host, struct MHD_Connection *connection, void **context, enum MHD_ConnectionNotificationCode event) {
  struct http_host *http_host = (struct http_host *)host;
  const union MHD_ConnectionInfo *info;
  (void)context;
  if (event == MHD_CONNECTION_NOTIFY_CLOSED) {
    http_host->left(http_host->context, connection);
    return;
  }
  info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (info != NULL) http_host->came(http_host->context, connection, info->connect_fd);
}

// A server on a socket that listens already. It makes no thread: whoever calls MHD_run does all the work. NULL: it cannot be had,
// and the socket is still open. `host` must outlive it.
static inline struct MHD_Daemon *http_start(int socket, struct http_limits limits, struct http_host *host) {
  return MHD_start_daemon(
      MHD_USE_EPOLL, 0, NULL, NULL, http_on_request, host,
      MHD_OPTION_LISTEN_SOCKET, socket,
      MHD_OPTION_CONNECTION_LIMIT, limits.connections,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.bytes_per_connection,
      MHD_OPTION_CONNECTION_TIMEOUT, limits.seconds_of_silence,
      MHD_OPTION_NOTIFY_CONNECTION, http_on_connection, host,
      MHD_OPTION_END);
}

// What becomes readable when there is work for MHD_run; -1: unknown.
static inline int http_descriptor(struct MHD_Daemon *server) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(server, MHD_DAEMON_INFO_EPOLL_FD);
  return info == NULL ? -1 : info->epoll_fd;
}

// Milliseconds after which MHD_run must be called although nothing became readable, at most `longest`.
static inline int http_patience(struct MHD_Daemon *server, int longest) {
  MHD_UNSIGNED_LONG_LONG milliseconds;
  if (MHD_get_timeout(server, &milliseconds) != MHD_YES || milliseconds > (MHD_UNSIGNED_LONG_LONG)longest) return longest;
  return (int)milliseconds;
}

// A header of the request; NULL: it has none of this name.
static inline const char *http_header(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

// An answer with a copy of these bytes; NULL: no memory.
static inline struct MHD_Response *http_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

// Sends the answer and lets go of it.
static inline void http_reply(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
  MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
}

#endif
