all:
	cmake --preset release && cmake --build build
