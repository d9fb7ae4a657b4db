// Converts mjlogs to majiang with tenhou-log: node tenhou_log.js FOLDER FILE...
"use strict";

const fs = require("fs");
const path = require("path");
const convert = require("@kobalab/tenhou-log");

const [folder, ...files] = process.argv.slice(2);
if (folder) fs.mkdirSync(folder);
for (const file of files) {
  const { name } = path.parse(file);
  fs.writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(convert(fs.readFileSync(file, "utf8"), name)));
}
