import { defineConfig } from "vitest/config";

/** Where `npm run dev` and `vite preview` find a server, for example `BIGTOP_URL=http://127.0.0.1:8765 npm run dev`. */
const server = process.env["BIGTOP_URL"] ?? "http://127.0.0.1:8765";
const proxy = {
  "/ws": { target: server, ws: true, changeOrigin: true },
  "/records": { target: server, changeOrigin: true },
  "/tables": { target: server, changeOrigin: true },
};

/** As strict as the policy with which the server sends these pages, so that a preview shows what it forbids. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export default defineConfig({
  server: { proxy },
  preview: { proxy, headers: { "Content-Security-Policy": policy } },
  test: { globalSetup: "./tests/setup.ts", include: ["tests/**/*.test.ts"], testTimeout: 30_000 },
  build: {
    outDir: "../../server/web/pages",
    emptyOutDir: true,
    target: "es2022",
    // Pages are served with a policy that forbids everything inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
