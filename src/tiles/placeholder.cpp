// Replaced by the folder's first real file.
