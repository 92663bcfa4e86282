/** Each scene, with fields and versions of a later release. */
import { ends, keepsWhatWasAdded, leavesLaterVersionsAlone } from './releases-cases.js'

keepsWhatWasAdded(Object.keys(ends))
leavesLaterVersionsAlone(Object.keys(ends))
