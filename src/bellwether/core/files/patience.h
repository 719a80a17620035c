#pragma once

#include <string>

#include <bellwether/core/files/descriptor.h>

/// Pipes make a program wait: for somebody at the other end, and for what he sends or takes. A wait in the kernel would
/// hold a program that was asked to stop, so pipes are opened without waiting, and all waiting is done here.
namespace bellwether {

/// Says how to find out whether the program was asked to stop: waits then end after half a second without progress.
/// Null, as in the beginning: a wait ends when a signal interrupts it.
void stop_waiting_when(bool (*asked)());

/// Opens a file that exists, with O_NONBLOCK; a pipe that is to be written to once somebody reads it. When that fails,
/// the descriptor is not open and the reason is in errno: EINTR when the program was asked to stop.
Descriptor open_patiently(const std::string& path, int flags);

/// Waits until something can be read (POLLIN) or written (POLLOUT). False when that fails, with the reason in errno, as
/// above.
bool wait_until_ready(int file, short events);

}  // namespace bellwether
