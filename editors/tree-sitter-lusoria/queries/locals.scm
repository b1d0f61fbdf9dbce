; Blocks and what has parameters are scopes; a name lives to the end of its block.

[(block) (define) (action) (for_each)] @local.scope

(parameters (name) @local.definition)
(pick name: (name) @local.definition)
(let_ name: (name) @local.definition)
(for_each name: (name) @local.definition)

(name) @local.reference
