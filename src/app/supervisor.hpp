// Tells the program that supervises this one, if it asked for it as systemd does with Type=notify, how far it is.
#pragma once

namespace tessera::app {

void tell_supervisor_ready();
void tell_supervisor_stopping();

}  // namespace tessera::app
