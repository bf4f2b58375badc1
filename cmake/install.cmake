# What `cmake --install build/release --prefix DIR` lays down and `cpack -G DEB` packs: the program, the shipped conf,
# everything that a cluster needs, and the documents.
include(GNUInstallDirs)
set(data ${CMAKE_INSTALL_DATADIR}/batholith)

if(TARGET batholith)
  install(TARGETS batholith RUNTIME)
endif()
install(FILES installer/volcano-scheduler.conf DESTINATION ${data} RENAME batholith-scheduler.conf)
install(DIRECTORY installer/crds installer/kubernetes installer/kubernetes-slack installer/kubernetes-autoscale
                  installer/kubernetes-metrics installer/kubernetes-servicemonitor installer/examples DESTINATION ${data})
# The chart links to files beside it; a copy must stand by itself.
install(DIRECTORY installer/helm DESTINATION ${data} PATTERN crds EXCLUDE PATTERN files EXCLUDE)
install(DIRECTORY installer/crds DESTINATION ${data}/helm/batholith)
install(FILES installer/volcano-scheduler.conf DESTINATION ${data}/helm/batholith/files RENAME batholith-scheduler.conf)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN *.md)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

# The program itself writes its manual pages and what shells complete it with.
install(CODE "
  set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share\")
  file(MAKE_DIRECTORY \"\${share}/man/man1\" \"\${share}/bash-completion/completions\" \"\${share}/zsh/site-functions\"
       \"\${share}/fish/vendor_completions.d\")
  execute_process(COMMAND ${CMAKE_BINARY_DIR}/batholith man --write \"\${share}/man/man1\" COMMAND_ERROR_IS_FATAL ANY)
  foreach(shell bash:bash-completion/completions/batholith zsh:zsh/site-functions/_batholith fish:fish/vendor_completions.d/batholith.fish)
    string(REPLACE \":\" \";\" parts \"\${shell}\")
    list(GET parts 0 name)
    list(GET parts 1 file)
    execute_process(COMMAND ${CMAKE_BINARY_DIR}/batholith completion \${name} OUTPUT_FILE \"\${share}/\${file}\"
                    COMMAND_ERROR_IS_FATAL ANY)
  endforeach()")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME batholith)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "batch scheduler for Kubernetes, with a simulator")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Batholith developers <batholith@example.org>")
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
# The shared libraries that the program is linked to become the package's dependencies.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
