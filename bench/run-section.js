/** Runs one section, the address of whose file is the argument, in this process, and prints its rows as JSON. */
const { rows } = await import(process.argv[2])
process.stdout.write(JSON.stringify(rows))
