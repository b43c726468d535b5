/// <reference path="../../web/node_modules/vite/client.d.ts" />
