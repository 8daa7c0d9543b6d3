// Before the first paint: the theme, and whether the lobby is shown.
const page = document.documentElement.dataset;
try {
  page.theme = JSON.parse(localStorage.getItem("strongroom.theme")) ?? "";
} catch {
  // A browser that keeps nothing has the system's theme.
}
if (location.hash.length > 1) page.route = "other";
