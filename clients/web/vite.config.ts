import { defineConfig } from "vite";

/** Where `npm run dev` and `vite preview` find a server, for example `BIGTOP_URL=http://127.0.0.1:8765 npm run dev`. */
const server = process.env["BIGTOP_URL"] ?? "http://127.0.0.1:8765";
const proxy = {
  "/ws": { target: server, ws: true, changeOrigin: true },
  "/records": { target: server, changeOrigin: true },
  "/tables": { target: server, changeOrigin: true },
};

export default defineConfig({
  server: { proxy },
  preview: { proxy },
  build: {
    outDir: "../../server/web/pages",
    emptyOutDir: true,
    target: "es2022",
    // Pages are served with a policy that forbids everything inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
