# Leaves out of llama.cpp what only its own programs use, half of all there is to compile: `make
# models` needs the library alone. llama-cpp-python sets this option, and a variable outweighs that.
set(LLAMA_BUILD_COMMON OFF)
