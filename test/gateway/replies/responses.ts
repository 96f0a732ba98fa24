/**
 * What gateways say, and what it means. A section names what was requested, the status and, if it matters, the content type. Each line has
 * the meaning and the body; a line that begins with a tab continues it. Shapes are from the named sources; names and numbers are made up.
 */
export const RESPONSES = String.raw`
== sent 200
# avoylenko/wwebjs-api
sent      {"success":true,"message":{"_data":{"id":{"fromMe":true,"remote":"49151@c.us",
	"id":"3EB027FBB9CD0225","_serialized":"true_49151@c.us_3EB027FBB9CD0225"},"viewed":false,
	"body":"Payment failed","type":"chat","t":1762738750,"ack":0,"isNewMsg":true,"star":false,
	"isFromTemplate":false,"pollInvalidated":false,"isSentCagPollCreation":false,
	"latestEditMsgKey":null,"mentionedJidList":[],"isEventCanceled":false,"eventInvalidated":false,
	"isForwarded":false},"id":{"fromMe":true,"remote":"49151@c.us","id":"3EB027FBB9CD0225",
	"_serialized":"true_49151@c.us_3EB027FBB9CD0225"},"ack":0,"hasMedia":false,
	"body":"Payment failed","type":"chat","timestamp":1762738750,"from":"49151@c.us",
	"to":"49152@c.us","deviceType":"android","isStatus":false}}
rejected  {"success":false,"state":null,"message":"session_not_found"}
# devlikeapro/waha
sent      {"id":"true_49151@c.us_3EB027FBB9CD0225","timestamp":1758083503,"body":"Hi","ack":1,
	"ackName":"SERVER"}
# aldinokemal/go-whatsapp-web-multidevice
rejected  {"code":"VALIDATION_ERROR","message":"phone: cannot be blank."}
# wppconnect-team/wppconnect-server
rejected  {"status":"success","response":[{"id":"true_49151@c.us_3EB027FBB9CD0225","ack":-1}]}
rejected  {"status":"success","response":[{"id":"true_49151@c.us_3EB027FBB9CD0225",
	"isSendFailure":true}]}
rejected  {"response":null,"status":"Connected","message":"O número 49151 não existe."}
# ookamiiixd/baileys-api
rejected  {"key":{"remoteJid":"49151@s.whatsapp.net","fromMe":true,"id":"3EB027FBB9CD0225"},
	"message":{"extendedTextMessage":{"text":"Hello"}},"messageTimestamp":"1727857121","status":0}
rejected  {"results":[],"errors":[{"index":0,"error":"JID does not exists"}]}
# vynect/venom
rejected  {"me":{},"to":"49151@c.us","erro":true,"text":"The number does not exist","result":null}
# infobip/infobip-api-php-tutorial
rejected  {"messages":[{"to":"49151","status":{"groupId":5,"groupName":"REJECTED","id":51,
	"name":"REJECTED_DESTINATION"},"messageId":"3994"}]}
# developer.z-api.io
sent      {"zaapId":"3999984263738042930CD6ECDE9VDWSA","messageId":"D241XXXX732339502B68",
	"id":"D241XXXX732339502B68"}
# docs.periskope.app
deferred  {"queue_id":"q-1","queue_position":0}
# api-evangelist/ahasend openapi-v2-create-single-message-response-schema.json
deferred  {"object":"message","id":"500123","recipient":{},"status":"scheduled","error":""}
# wppconnect-team/wa-js SendMsgResult
rejected  {"id":"true_49151@c.us_3EB027FBB9CD0225","ack":0,
	"sendMsgResult":{"messageSendResult":"ERROR_UNKNOWN"}}
sent      {"id":"true_49151@c.us_3EB027FBB9CD0225","ack":1,"sendMsgResult":{"_flags":269,
	"_value":"OK","_thenableParent":null}}
# AlanMartines/mywhatsapp-api-node-wppconnect controllers
sent      {"Status":{"erro":false,"status":200,"message":"Menssagem envida com sucesso."}}
# Africa’s Talking
rejected  {"SMSMessageData":{"Message":"Sent to 0/1 Total Cost: 0","Recipients":[{"statusCode":403,
	"status":"InvalidPhoneNumber","messageId":"None"}]}}
rejected  {"contacts":[{"input":"+49151","status":"invalid"}]}
# Vonage SMS
rejected  {"messages":[{"status":"1","error-text":"Throttled","message-id":"0C00"}]}
# Like others
rejected  {"response":{"message":[{"exists":false,"number":"49151"}]}}
rejected  {"stateInstance":"notAuthorized"}
rejected  {"message":"Loading..."}
deferred  {"messages":[{"id":"wamid.HBgLNTY=","message_status":"held_for_quality_assessment"}]}
rejected  {"error":[{"to":"is required"}]}
rejected  {"status":"unsent","id":42}
rejected  {"status":"expired","id":42}
sent      {"sent":true,"message":{"id":"PsqXn5SAD5v7HRA","from_me":true,"type":"text",
	"status":"pending","text":{"body":"Hi"}}}
deferred  {"detail":"success! message in queue","id":["86226241"],"process":"pending",
	"quota":{"62851":{"details":"deduced from total quota","quota":995,"used":1}},
	"requestid":15786508,"status":true,"target":["62812"]}
sent      {"code":"0000","data":{"send_id":"23408720","messages":"test","count":1},"message":""}
sent      {"status":1,"code":"WAS200","message":"suceess","error":[],"data":[]}
deferred  {"sent":"queued","id":"1"}
sent      {"success":true,"error":{"code":"000","message":"Success"}}
sent      {"status":"Sent: 1, Failed: 0"}
sent      1 message sent, 0 failed
rejected  {"status":"QUOTA_REACHED"}
rejected  {"message":"Out of quota"}
sent      {"status":true,"message":"sent","expired":"2026-12-31"}
rejected  {"messageId":"A","expired":true}
rejected  {"status":"tidak terkirim"}
deferred  {"status":"belum terkirim"}
rejected  {"status":"desconectado"}
sent      {"status":"éxito"}
rejected  Message wasnt sent
deferred  {"success":true,"queued":true,"connected":false}
deferred  {"error":"session_not_online","deferred":[{"deliveryKey":"k"}]}
rejected  {"status":"KO"}
rejected  {"status":"blocked"}
unknown   {"success":true,"message":"Number is blacklisted"}
rejected  {"delivered":false}
rejected  {"isSuccess":false}
deferred  {"success":true,"queued":true,"sent":false,"messageId":"A"}
deferred  {"status":"in_queue","messageId":"A"}
rejected  {"result":"unable to send"}
rejected  {"deliveryStatus":"UNDELIVERABLE"}
rejected  {"failedReason":"No route"}
rejected  {"hasError":true}
rejected  {"data":{"error_code":470}}
rejected  {"success":true,"data":"{\"success\":false,\"error\":\"x\"}"}
rejected  {"sent":[],"failedNumbers":["49151"]}
rejected  {"messageSent":false}
rejected  success: false
rejected  {"type":"error","text":"x"}
rejected  Session is not connected
rejected  0
sent      {"status":"berhasil"}
sent      {"chatId":"49151","text":"Payment failed","type":"text"}
sent      {"success":true,"error":{"code":"OK","message":"No error"}}
deferred  {"success":true,"message":"Message has been queued"}
deferred  {"deliveryKey":"k","status":"DISCONNECTED"}
unknown   {"code":"E1001"}
unknown   {"messageId":null}
unknown   {"success":true,"status":"DISCONNECTED"}
unknown   {"message":"Your payment failed","phone":"49151"}
unknown   {"message":"Message accepted, but the phone was not found"}
unknown   {"error":{"code":"ETIMEDOUT","message":"sendMessage failed"}}
unknown   {"status":"error","message":"TimeoutError: waiting failed: timeout 30000ms exceeded"}
rejected  {"error":"rate_limit_exceeded","message":"Timed out for 60 s"}
duplicate {"messageId":"m-1","status":"sent","duplicate":true}
duplicate {"status":"duplicate","delivered":false}
sent      {"result":"0b6f3c1e-5a0f-4b7e-9d5c-3a1f2e4d5c6b"}
sent      {"message":"10 sent"}
rejected  {"status":"0","messageId":null}
rejected  {"status":0,"messageId":"A"}
rejected  {"status":"0","messageId":"A","error":"no credit"}
sent      {"status":0,"status_message":"ok","message_token":5741311803571721000}
sent      {"messageId":"A","status":0,"statusDescription":"submitted successfully"}
deferred  {"success":true,"data":{"id":1,"status":0,"extendStatus":"queue"}}
sent      {"result":0,"errmsg":"OK","sid":"x"}
sent      {"statusCode":201,"messageId":43,"accepted":"[966,]","rejected":"[]"}
rejected  {"statusCode":201,"messageId":43,"accepted":"[]","rejected":"[966,]"}
rejected  {"invalidReceivers":["+33"],"ids":[],"validReceivers":[]}
unknown   {"result":true,"validWhatsAppNumber":false}
rejected  {"result_code":"1","success_cnt":0,"error_cnt":1}
sent      {"messageId":"A","errors":"[]","hasErrors":"N"}
sent      {"success":true,"delivered":false}
sent      {"success":true,"messageId":"A","subscription":{"status":"expired"}}
sent      {"code":1000,"message":"Success"}
deferred  {"success":true,"errorCode":"ER-00","data":{"MessageID":3,"Status":"Queued"}}
deferred  {"situacao":"OK","codigo":"1","descricao":"MENSAGEM NA FILA"}
rejected  {"messageId":"A","status":"fehlgeschlagen"}
rejected  {"messageId":"A","status":"başarısız"}
rejected  {"messageId":"A","status":"失败"}
sent      {"errcode":0,"errmsg":"成功","data":{"msgid":"1"}}
unknown   {"messageId":"A","errorMessage":"Kaputt"}
unknown   {"success":false,"error":"Execution context was destroyed"}
unknown   {"success":false,"error":"502 Bad Gateway"}
unknown   {"success":false,"status":504}
unknown   {"error":"websocket disconnected before message send returned response"}
unknown   {"success":true,"messageId":"A","error":"rate_limit_exceeded"}
unknown   {"status":"queued","code":"rate_limit_exceeded"}
unknown   {"success":false,"error":"socket hang up"}
unknown   {"success":true,"message":"0 messages sent"}
unknown   {"success":true,"message":"0 of 1 sent"}
rejected  {"message":"Please upgrade your plan"}
rejected  {"reason":"Your trial has ended"}
rejected  {"message":"Nachricht nicht gesendet","instance":"a","queue":null}
rejected  {"sendSuccess":false}
rejected  {"success":true,"skipped":true}
rejected  {"messageId":"A","status":"suppressed"}
unknown   {"messageId":"undefined"}
unknown   {"messageId":-1}
rejected  {"message":"发送不成功"}
rejected  {"message":"لم ترسل بنجاح"}
rejected  {"message":"Aucun message envoyé"}
rejected  {"message":"Nessun messaggio inviato"}
rejected  {"message":"Keine Nachricht gesendet"}
rejected  {"message":"Rien envoyé"}
rejected  {"message":"None sent"}
rejected  {"message":"Zero messages sent"}
rejected  {"message":"0/1 sent"}
rejected  {"message":"Messages sent: 0"}
rejected  {"message":"neither sent nor queued"}
rejected  {"messageId":"3EB027FBB9CD0225","status":"annulé"}
rejected  {"messageId":"3EB027FBB9CD0225","status":"отклонено"}
rejected  {"messageId":"3EB027FBB9CD0225","status":"エラー"}
rejected  {"messageId":"3EB027FBB9CD0225","status":"فشل"}
unknown   {"message":"Down for scheduled maintenance"}
sent      {"message":"Сообщение успешно отправлено"}
sent      {"code":0,"message":"성공적으로 전송요청 하였습니다."}
sent      发送成功
sent      {"id":"3EB027FBB9CD0225","status":"pending","done":false}
sent      {"success":true,"messageId":"A","completed":false}
sent      {"success":true,"messageId":"A","webhookResult":{"success":false}}
sent      {"success":true,"messageId":"A","linkPreview":{"error":"x"}}
sent      {"success":true,"messageId":"A","usage":{"sent":0,"limit":100}}
sent      {"status":"000","details":[{"destination":"34","status":"000"}]}
sent      {"data":{"status":"0"},"messageId":"A"}
rejected  {"statusMsg":"Failed"}
rejected  {"success":true,"limitReached":true}
rejected  {"data":{"id":"x","to":[{"status":"sending_failed"}]}}
unknown   {"id":1,"status":"created","sent":false,"delivered":false,"error_message":null}
unknown   {"id":1,"status":"processing","sent":false,"delivered":false,"error_message":null}
unknown   1704
sent      17377
rejected  {"value":false}
sent      {"return":true,"message":["Message sent successfully to NonDND numbers"]}
rejected  {"messageId":"3EB027FBB9CD0225","status":"실패"}
sent      {"status":"gesendet"}
sent      {"meta":{"status":200,"message":"Successfully sent message"},
	"data":{"id":"9bf8","type":"text","to":"62","content":{"text":"Not found"}}}
rejected  {"error_code":203}
== sent 400
unknown   {"status":400,"error":"Bad Request","response":{"message":["Error: Timed Out"]}}
unknown   {"deliveryKey":"k","error":"conflict"}
rejected  {"message":"chatId is invalid","id":"0f8fad5b-d9cb-469f-a165-70867728950e"}
unknown   {"error":"Message sent, webhook failed"}
rejected  {"error":"validation_error","message":"Your order was sent","to":"49151"}
unknown   {"message":"context deadline exceeded"}
unknown   {"error":"x","message":"Mensagem enviada. Limite atingido"}
unknown   {"error":"x","message":"The message may have been sent"}
unknown   {"error":"x","message":"Already sent"}
unknown   {"error":"x","message":"Connection was lost"}
unknown   {"error":"x","message":"EOF"}
== sent 408
rejected  <html><body>408 Request Time-out</body></html>
== sent 429
rejected  {"error":"timeout","message":"Timed out: too many requests"}
unknown   {"error":"rate_limit_exceeded","message":"Deferred until 18:00"}
unknown   {"message":"The message will be sent when the limit resets"}
unknown   {"key":{"remoteJid":"49151@s.whatsapp.net","fromMe":true,"id":"3EB027FBB9CD0225"},
	"status":"PENDING"}
rejected  {"error":"rate_limit_exceeded","message":"20 messages sent in a minute"}
rejected  {"message":"Daily limit of 1000 sent messages reached"}
unknown   {"error":"rate_limit_exceeded","queued":true}
unknown   {"sent":true,"messageId":"A"}
unknown   {"error":"rate_limit_exceeded","details":{"duplicate":true}}
== sent 503
rejected  {"error":"maintenance"}
unknown   {"status":"accepted","id":"x"}
unknown   {"error":"x","message":"Zeitüberschreitung"}
== sent 200 text/html; charset=UTF-8
unknown   <b>Notice</b>:  Undefined index in <b>/srv/a.php</b> on line <b>3</b><br />OK
== sent 200 application/xml
unknown   <response><status>error</status></response>
== sent 200 text/html
unknown   <html><body>Message queued</body></html>
rejected  <html><body>Message not sent</body></html>
== deleted 200
done      {"status":"cancelled"}
rejected  {"message":"Deleted: 0"}
# docs.fonnte.com
done      {"detail":"device 08123456789 successfully deleted","status":true}
rejected  {"reason":"invalid device","status":false}
# Like others
rejected  {"command":"DELETE","rowCount":0,"rows":[]}
done      {"command":"DELETE","rowCount":1,"rows":[]}
unknown   {"success":true,"message":"Delivery has already been sent"}
rejected  {"error":"delivery_sent"}
unknown   {"code":"DELIVERY_SENT"}
rejected  {"numDeleted":0}
rejected  {"affected":0,"raw":[]}
rejected  {"deleted":[]}
done      {"deleted":["k"]}
done      {"deleted":"k"}
rejected  {"status":"not_found"}
done      {"deliveryKey":"k","chatId":"49151","status":"queued"}
rejected  {"n":0,"ok":1}
rejected  {"message":"Delivery already sent"}
unknown   {"deliveryKey":"k","status":"sending"}
unknown   {"success":true,"deliveryKey":"k","errorCount":3}
unknown   {"deleted":true,"delivery":{"status":"delivered"}}
unknown   {"success":true,"message":"0 rows deleted"}
rejected  {"acknowledged":true,"modifiedCount":0}
rejected  {"notFound":true}
unknown   {"status":"locked"}
done      Deleted
unknown   {"deleted":tr
unknown   {"success":true,"sentAt":"2026-01-01T00:00:00Z"}
unknown   {"message":"Delivery is on its way"}
unknown   {"message":"Terkirim"}
done      {"value":true}
rejected  {"nRemoved":0}
== started 200
# devlikeapro/waha
done      {"name":"default","status":"WORKING"}
# EvolutionAPI/evolution-api
done      {"instance":{"instanceName":"i","status":"connecting"},"qrcode":{"count":0}}
rejected  {"error":true,"message":"Error: Connection Closed"}
# aldinokemal/go-whatsapp-web-multidevice
done      {"code":"SUCCESS","message":"Login success","results":{"qr_link":"http://x/qr.png",
	"qr_duration":30}}
rejected  {"code":"SESSION_SAVED_ERROR","message":"your session has been saved"}
# asternic/wuzapi
done      {"code":200,"data":{"details":"Connected!","events":"Message",
	"jid":"49151@s.whatsapp.net"},"success":true}
rejected  {"code":500,"error":"Already Connected","success":false}
# wppconnect-team/wppconnect-server
done      {"status":"success","message":"Starting all sessions"}
# salman0ansari/whatsapp-api-nodejs
done      {"error":false,"message":"Initializing successfully","key":"k","qrcode":{"url":"u"}}
# wppconnect-team/wppconnect-server
done      {"status":"QRCODE","qrcode":"data:image/png;base64,iV","urlcode":"2@x"}
done      {"status":"INITIALIZING","qrcode":null,"urlcode":""}
# Like others
done      {"code":"2@y8eK+No/bjtEjUWy9FailOM","base64":null,"count":1}
done      {"qr":"2@x","expired":"2026-01-01"}
done      {"success":true,"status":"DISCONNECTED"}
done      {"success":true,"connected":false,"qr":"2@abc"}
done      {"status":"already_connected"}
rejected  {"started":false}
rejected  {"message":"Session is offline"}
unknown   {"status":"DISCONNECTED"}
unknown   Please wait
== refreshed 200
# avoylenko/wwebjs-api
done      {"success":true,"message":"Restarted successfully"}
# green-api/docs
rejected  {"isReboot":false}
# Like others
done      {"status":"restarting"}
done      {"qrCode":"2@abc","expiresIn":20}
rejected  {"message":"No session"}
== terminated 200
# avoylenko/wwebjs-api
rejected  {"success":false,"message":"page_not_ready"}
# devlikeapro/waha
done      {"name":"default","status":"STOPPED"}
# green-api/docs
done      {"isLogout":true}
rejected  {"isLogout":false}
# asternic/wuzapi
done      {"code":200,"data":{"Details":"Disconnected"},"success":true}
# wppconnect-team/wppconnect-server
rejected  {"status":false,"message":"Error closing session","error":{}}
# salman0ansari/whatsapp-api-nodejs
done      {"error":false,"message":"logout successfull","errormsg":null}
# Like others
unknown   {"success":true,"status":"ONLINE"}
rejected  {"message":"The session must be disconnected first"}
done      {"success":true,"status":"DISCONNECTED","connected":false}
done      {"status":"not running"}
done      {"message":"Session is offline"}
unknown   {"message":"Session is still running"}
unknown   {"success":true,"online":true}
rejected  {"message":"0 sessions terminated"}
`;
