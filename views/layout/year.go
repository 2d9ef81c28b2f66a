package layout

// Year is that of every copyright line (CHROME-08), whatever the clock says.
const Year = "2025"
