import 'undici'
import '../protocol/index.js'
import '../signing/index.js'
