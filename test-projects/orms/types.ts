// What main.js took out of the page.
import './drizzle.js'
import './knex.js'
import './kysely.js'
import './others.js'
