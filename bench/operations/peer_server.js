// sharp as a service: GET /?source=FILE&width=PIXELS&format=NAME answers with the picture made smaller, and GET
// /processor_seconds with what this process has used. Says its port when it is ready.
const sharp = require('sharp');
const http = require('http');

sharp.cache(false);

const answer = async (request, response) => {
  const address = new URL(request.url, 'http://localhost');
  if (address.pathname === '/processor_seconds') {
    const used = process.cpuUsage();
    response.end(String((used.user + used.system) / 1e6));
    return;
  }
  const asked = address.searchParams;
  const format = asked.get('format');
  const picture = await sharp(asked.get('source')).resize(Number(asked.get('width')))[format]({ quality: 80 }).toBuffer();
  response.setHeader('Content-Type', 'image/' + format);
  response.end(picture);
};

const server = http.createServer((request, response) => {
  answer(request, response).catch((error) => {
    response.statusCode = 500;
    response.end(String(error));
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
