# SPDX-License-Identifier: MIT
# For Doxygen: the comment at the head of a header describes the file, and what follows the parameters of a docstring,
# such as the cost, belongs to none of them.
NR == 1 && FILENAME ~ /version.h$/ {
  print "/** @mainpage compaction"
  print "<a href='files.html'>Headers</a>, and what each is for. <a href='../index.html'>All pages of Winnow</a>. */"
}
/^(namespace|template|struct|class|#define)|^\/\/\// { declared = 1 }
NR > 1 && !declared && /^\/\/( |$)/ && !/^\/\/ ---/ {
  line = substr($0, 4)
  if (line !~ /^ /) gsub(/[<#@\\]/, "\\\\&", line)
  print (in_head ? "/// " : "/// @file\n/// ") line
  in_head = 1
  next
}
{ in_head = 0 }
/^ *\/\/\/ @(param|tparam|return)/ { has_parameters = 1 }
has_parameters && /^ *\/\/\/ [^ @]/ { sub(/\/\/\/ /, "/// @details "); has_parameters = 0 }
!/^ *\/\/\// { has_parameters = 0 }
{ print }
