// libmicrohttpd, and one function of ours: a function of C that takes any number of arguments cannot be called from Swift.
#ifndef DAILYMETRICD_CMICROHTTPD_H
#define DAILYMETRICD_CMICROHTTPD_H

#include <microhttpd.h>
#include <stddef.h>

// A server on a socket that listens already. It makes no thread: whoever calls MHD_run does all the work. NULL: it cannot be had.
static inline struct MHD_Daemon *dailymetricd_http_start(
    int socket, unsigned int connections, size_t bytes_per_connection, unsigned int seconds_of_silence,
    MHD_AccessHandlerCallback answer, MHD_NotifyConnectionCallback notify, void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL, 0, NULL, NULL, answer, context,
      MHD_OPTION_LISTEN_SOCKET, socket,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, bytes_per_connection,
      MHD_OPTION_CONNECTION_TIMEOUT, seconds_of_silence,
      MHD_OPTION_NOTIFY_CONNECTION, notify, context,
      MHD_OPTION_END);
}

// What becomes readable when there is work for MHD_run; -1: unknown.
static inline int dailymetricd_http_descriptor(struct MHD_Daemon *server) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(server, MHD_DAEMON_INFO_EPOLL_FD);
  return info == NULL ? -1 : info->epoll_fd;
}

// The socket of a connection; -1: unknown.
static inline int dailymetricd_http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

#endif
