/** The refusal of an altered request names the item, in every operation. `altered-control.test.ts` alters each item once. */
import { everyItem, nameAlteredItems } from './altered-items.js'

nameAlteredItems(everyItem)
