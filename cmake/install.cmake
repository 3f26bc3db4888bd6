# What `cmake --install` puts where: the program, its configuration, its units, its pages and completions. The Debian package
# is made of the same files (packaging/debian).
include(GNUInstallDirs)
set(TESSERA_UNIT_DIR ${CMAKE_INSTALL_PREFIX}/lib/systemd/system CACHE PATH "Where systemd units are installed")
set(TESSERA_SYSUSERS_DIR ${CMAKE_INSTALL_PREFIX}/lib/sysusers.d CACHE PATH "Where the user `tessera` is declared for systemd-sysusers")
set(TESSERA_CONFIG_DIR ${CMAKE_INSTALL_FULL_SYSCONFDIR}/tessera)
set(TESSERA_STATE_DIR /var/lib/tessera)  # what StateDirectory= of the units means

set(packaging ${CMAKE_SOURCE_DIR}/packaging)
file(READ ${packaging}/systemd/common.conf TESSERA_UNIT_COMMON)  # what both units have in common
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${packaging}/systemd/common.conf)
string(CONFIGURE "${TESSERA_UNIT_COMMON}" TESSERA_UNIT_COMMON @ONLY)
foreach(unit tessera.service tessera-worker.service)
  configure_file(${packaging}/systemd/${unit}.in ${CMAKE_BINARY_DIR}/packaging/${unit} @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/packaging/${unit} DESTINATION ${TESSERA_UNIT_DIR})
endforeach()
install(FILES ${packaging}/sysusers.d/tessera.conf DESTINATION ${TESSERA_SYSUSERS_DIR})
install(FILES ${packaging}/etc/tessera.env DESTINATION ${TESSERA_CONFIG_DIR} PERMISSIONS OWNER_READ OWNER_WRITE)
install(TARGETS tessera RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN internals EXCLUDE PATTERN decisions EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
