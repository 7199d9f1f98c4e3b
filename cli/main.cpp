#include "cli/app.h"

int main(int argc, char** argv) { return agon::cli::run_command_line(argc, argv); }
