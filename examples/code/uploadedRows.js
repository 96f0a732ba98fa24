// One item per row of the uploaded file, with the line on which it starts, and why it cannot be sent.
const { campaignList } = require('./shared/list.js');

return campaignList($('Text of the file').first().json.csv).rows.map((json) => ({ json }));
