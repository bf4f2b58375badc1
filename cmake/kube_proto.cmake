# The code that protoc makes from codec/proto, in a library of its own that is free of our warnings and lints. Its headers
# are <proto/x.pb.h>.
set(kube_proto_out ${CMAKE_BINARY_DIR}/kube_proto)
file(GLOB kube_protos RELATIVE ${CMAKE_SOURCE_DIR}/codec CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/codec/proto/*.proto)
list(TRANSFORM kube_protos PREPEND ${CMAKE_SOURCE_DIR}/codec/ OUTPUT_VARIABLE kube_proto_files)
list(TRANSFORM kube_protos REPLACE "(.*)[.]proto$" "${kube_proto_out}/\\1.pb.cc" OUTPUT_VARIABLE kube_proto_code)
list(TRANSFORM kube_protos REPLACE "(.*)[.]proto$" "${kube_proto_out}/\\1.pb.h" OUTPUT_VARIABLE kube_proto_headers)
file(MAKE_DIRECTORY ${kube_proto_out})
add_custom_command(OUTPUT ${kube_proto_code} ${kube_proto_headers}
                   COMMAND protobuf::protoc --proto_path=${CMAKE_SOURCE_DIR}/codec --cpp_out=${kube_proto_out} ${kube_protos}
                   DEPENDS ${kube_proto_files} VERBATIM)
add_library(kube_proto STATIC ${kube_proto_code})
set_target_properties(kube_proto PROPERTIES CXX_CLANG_TIDY "")
target_include_directories(kube_proto SYSTEM PUBLIC ${kube_proto_out})
target_link_libraries(kube_proto PUBLIC protobuf::libprotobuf)
