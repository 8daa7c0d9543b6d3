// Before the first paint: the chosen theme, and whether the lobby in the markup is what is wanted.
const page = document.documentElement.dataset;
try {
  page.theme = JSON.parse(localStorage.getItem("strongroom.theme")) ?? "";
} catch {
  // A browser that keeps nothing has the system's theme.
}
if (location.hash.length > 1) page.route = "other";
