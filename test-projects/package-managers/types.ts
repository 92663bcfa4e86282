// The project is its main.js.
export {}
