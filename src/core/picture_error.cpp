#include "core/picture_error.hpp"

namespace tessera {

constinit const ErrorKind PictureError::not_implemented{
    "not_implemented", "the address of a picture is right, but asks for what the service does not do",
    "ask for what info.json says that there is"};

}  // namespace tessera
