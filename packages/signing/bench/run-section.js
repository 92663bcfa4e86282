/** Runs one section, named on the command line, in this process, and prints its rows as JSON. */
const { rows } = await import(`./sections/${process.argv[2]}.js`)
process.stdout.write(JSON.stringify(rows))
