import '../signing/index.js'
