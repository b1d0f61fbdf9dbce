[(game) (variant) (about) (block) (ways) (opening) (end) (notation) (example)] @indent.begin
"}" @indent.branch @indent.end
