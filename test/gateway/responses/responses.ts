/**
 * What gateways say, and what it means. A section names what was requested, the status and, if it matters, the content type. Each line has
 * the meaning, the rule that decides it, and the body; a line that begins with a tab continues it. Shapes are from the named sources, or
 * made up for a rule; names and numbers are made up.
 */
export const RESPONSES = String.raw`
== sent 200
# avoylenko/wwebjs-api
sent      evidence       {"success":true,"message":{"_data":{"id":{"fromMe":true,"remote":"49151@c.us",
	"id":"3EB027FBB9CD0225","_serialized":"true_49151@c.us_3EB027FBB9CD0225"},"viewed":false,
	"body":"Payment failed","type":"chat","t":1762738750,"ack":0,"isNewMsg":true,"star":false,
	"isFromTemplate":false,"pollInvalidated":false,"isSentCagPollCreation":false,
	"latestEditMsgKey":null,"mentionedJidList":[],"isEventCanceled":false,"eventInvalidated":false,
	"isForwarded":false},"id":{"fromMe":true,"remote":"49151@c.us","id":"3EB027FBB9CD0225",
	"_serialized":"true_49151@c.us_3EB027FBB9CD0225"},"ack":0,"hasMedia":false,
	"body":"Payment failed","type":"chat","timestamp":1762738750,"from":"49151@c.us",
	"to":"49152@c.us","deviceType":"android","isStatus":false}}
rejected  denial         {"success":false,"state":null,"message":"session_not_found"}
# devlikeapro/waha
sent      evidence       {"id":"true_49151@c.us_3EB027FBB9CD0225","timestamp":1758083503,"body":"Hi","ack":1,
	"ackName":"SERVER"}
# aldinokemal/go-whatsapp-web-multidevice
rejected  denial         {"code":"VALIDATION_ERROR","message":"phone: cannot be blank."}
unknown   contradiction  {"code":"SUCCESS","message":"Success","results":{"message_id":"3EB0",
	"status":"Message sent to 49151 (server timestamp: 2026-01-01)"}}
# wppconnect-team/wppconnect-server
unknown   contradiction  {"status":"success","response":[{"id":"true_49151@c.us_3EB027FBB9CD0225","ack":-1}]}
unknown   contradiction  {"status":"success","response":[{"id":"true_49151@c.us_3EB027FBB9CD0225",
	"isSendFailure":true}]}
unknown   noEvidence     {"response":null,"status":"Connected","message":"O número 49151 não existe."}
# ookamiiixd/baileys-api
unknown   contradiction  {"key":{"remoteJid":"49151@s.whatsapp.net","fromMe":true,"id":"3EB027FBB9CD0225"},
	"message":{"extendedTextMessage":{"text":"Hello"}},"messageTimestamp":"1727857121","status":0}
sent      evidence       {"key":{"remoteJid":"49151@s.whatsapp.net","fromMe":true,"id":"3EB027FBB9CD0225"},
	"message":{"extendedTextMessage":{"text":"Hello"}},"messageTimestamp":"1727857121","status":"PENDING"}
rejected  denial         {"results":[],"errors":[{"index":0,"error":"JID does not exists"}]}
# vynect/venom
unknown   noEvidence     {"me":{},"to":"49151@c.us","erro":true,"text":"The number does not exist","result":null}
# open-wa/wa-automate-nodejs issues 2674 and 683
unknown   contradiction  {"success":true,"response":false}
# infobip/infobip-api-php-tutorial
unknown   contradiction  {"messages":[{"to":"49151","status":{"groupId":5,"groupName":"REJECTED","id":51,
	"name":"REJECTED_DESTINATION"},"messageId":"3994"}]}
# developer.z-api.io
sent      evidence       {"zaapId":"3999984263738042930CD6ECDE9VDWSA","messageId":"D241XXXX732339502B68",
	"id":"D241XXXX732339502B68"}
# docs.periskope.app
deferred  evidence       {"queue_id":"q-1","queue_position":0}
# api-evangelist/ahasend openapi-v2-create-single-message-response-schema.json
deferred  evidence       {"object":"message","id":"500123","recipient":{},"status":"scheduled","error":""}
# AlanMartines/mywhatsapp-api-node-wppconnect controllers
unknown   noEvidence     {"Status":{"erro":false,"status":200,"message":"Menssagem envida com sucesso."}}
# wasenderapi.com
sent      evidence       {"success":true,"data":{"msgId":1001,"jid":"+49151","status":"in_progress"}}
# Africa’s Talking
unknown   unknownWord    {"SMSMessageData":{"Message":"Sent to 0/1 Total Cost: 0","Recipients":[{"statusCode":403,
	"status":"InvalidPhoneNumber","messageId":"None"}]}}
# Vonage SMS
unknown   contradiction  {"messages":[{"status":"1","error-text":"Throttled","message-id":"0C00"}]}
# Booleans, also as text
rejected  denial         {"type":"error","message":"authentication failure"}
sent      evidence       {"ok":true,"message":"payment failed"}
sent      evidence       {"sent":"true","id":1}
rejected  denial         {"messageSent":false}
sent      evidence       {"error":false,"message":"Terkirim"}
unknown   contradiction  {"success":true,"limitReached":true}
unknown   contradiction  {"result":true,"validWhatsAppNumber":false}
# Numbers, lists and objects prove nothing
sent      evidence       {"messageId":"A","DebugTimings":{"Queue":1202},"statusCode":200}
unknown   contradiction  {"messageId":"A","statusCode":500}
unknown   noEvidence     {"message":["Message sent"]}
# An error
unknown   contradiction  {"messageId":"A","errorMessage":"Kaputt"}
sent      evidence       {"errcode":0,"errmsg":"ok","msgid":12}
unknown   contradiction  {"error":{"code":"ETIMEDOUT","message":"sendMessage failed"}}
unknown   contradiction  {"success":false,"status":504}
rejected  denial         {"error":"rate_limit_exceeded","message":"Timed out for 60 s"}
# An ID of the message
sent      evidence       {"messageId":"A","isGroup":false}
unknown   noEvidence     {"messageId":"undefined"}
sent      evidence       {"messageId":"NA17"}
unknown   contradiction  {"messageId":"A","sucesso":false}
unknown   noEvidence     {"id":"0f8fad5b-d9cb-469f-a165-70867728950e","sukses":false}
# One word in a status
unknown   contradiction  {"success":true,"status":"DISCONNECTED"}
rejected  denial         {"stateInstance":"notAuthorized"}
rejected  denial         {"state":"SCAN_QR_CODE"}
unknown   contradiction  {"id":1,"status":"processing","sent":false,"delivered":false,"error_message":null}
# Deferred and duplicate
deferred  evidence       {"sent":false,"status":"pending","messageId":"A"}
deferred  evidence       {"success":true,"queued":true,"sent":false,"messageId":"A"}
deferred  evidence       {"error":"session_not_online","deferred":[{"deliveryKey":"k"}]}
deferred  evidence       {"deliveryKey":"k","status":"DISCONNECTED"}
unknown   contradiction  {"deliveryKey":"k","success":false}
sent      evidence       {"messageId":"m-1","duplicate":false}
# A sentence decides nothing
unknown   noEvidence     {"sukses":false,"pesan":"Nomor tidak terdaftar"}
# An empty body is a success, and empty JSON is none
sent      evidence
unknown   noEvidence     {}
unknown   noEvidence     {"data":null}
== sent 400
unknown   contradiction  {"deliveryKey":"k","error":"conflict"}
rejected  http           {"message":"chatId is invalid","id":"0f8fad5b-d9cb-469f-a165-70867728950e"}
unknown   contradiction  {"error":"upstream","code":"ETIMEDOUT"}
== sent 401
# Infobip
rejected  http           {"requestError":{"serviceException":{"messageId":"UNAUTHORIZED","text":"Invalid login"}}}
== sent 408
rejected  http           <html><body>408 Request Time-out</body></html>
== sent 409
deferred  evidence       {"error":"session_not_online","deliveryKey":"k"}
unknown   contradiction  {"duplicate":true,"messageId":"A"}
== sent 429
rejected  http           {"error":"timeout","message":"Timed out: too many requests"}
unknown   contradiction  {"key":{"remoteJid":"49151@s.whatsapp.net","fromMe":true,"id":"3EB027FBB9CD0225"},
	"status":"PENDING"}
unknown   contradiction  {"error":"rate_limit_exceeded","details":{"duplicate":true}}
== sent 503
unknown   contradiction  {"status":"accepted","id":"x"}
deferred  evidence       {"error":"rate_limit_exceeded","deliveryKey":"k"}
== sent 200 text/html
unknown   webPage        <html><body>Message queued</body></html>
unknown   unknownWord    <b>Notice</b>: Undefined index in <b>/srv/a.php</b> on line <b>3</b><br />OK
== deleted 200
done      evidence       {"deliveryKey":"k","chatId":"49151","status":"queued"}
unknown   contradiction  {"deleted":true,"delivery":{"status":"delivered"}}
rejected  denial         {"error":"delivery_sent"}
== started 200
done      evidence       {"name":"default","status":"WORKING"}
done      evidence       {"name":"default","status":"SCAN_QR_CODE"}
done      evidence       {"qr":"2@x","expired":"2026-01-01"}
unknown   noEvidence     {"status":"DISCONNECTED"}
unknown   noEvidence     {"deliveryKey":"k"}
== terminated 200
done      evidence       {"name":"default","status":"STOPPED"}
unknown   contradiction  {"success":true,"status":"ONLINE"}
`;
