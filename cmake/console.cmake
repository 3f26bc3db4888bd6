# tessera_console_source(VARIABLE) sets VARIABLE to the file that holds the console: one that is made from web/ with Node, or
# one that says that there is none. Nothing is downloaded here: `npm ci` in web/ is what scripts/run and scripts/test do first.
option(TESSERA_CONSOLE "Build web/ into the binary; needs Node and the modules of web/package-lock.json" ON)

function(tessera_console_source variable)
  set(web ${CMAKE_SOURCE_DIR}/web)
  set(${variable} no_console.cpp PARENT_SCOPE)
  if(NOT TESSERA_CONSOLE)
    return()
  endif()
  find_program(TESSERA_NODE NAMES node nodejs)
  if(NOT TESSERA_NODE OR NOT EXISTS ${web}/node_modules/esbuild/package.json)
    message(NOTICE
      "The console is left out: it needs Node, and `npm ci` in web/. Everything else is built; -DTESSERA_CONSOLE=OFF says that it is meant so.")
    return()
  endif()

  set(folder ${CMAKE_BINARY_DIR}/console)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/console_files.cpp)
  file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${web}/src/* ${CMAKE_SOURCE_DIR}/examples/viewers/*)
  add_custom_command(OUTPUT ${made}
    COMMAND ${TESSERA_NODE} ${web}/build.mjs --out ${folder}
    COMMAND ${TESSERA_NODE} ${web}/embed.mjs ${folder} ${made}
    DEPENDS ${inputs} ${web}/index.html ${web}/build.mjs ${web}/embed.mjs ${web}/package-lock.json
            ${CMAKE_SOURCE_DIR}/clients/typescript/src/types.ts
    COMMENT "Building the console"
    VERBATIM)
  set(${variable} ${made} PARENT_SCOPE)
endfunction()
