// User agents as they are met on the web; each stands on a line of its own, as long as it is.

extension AgentMeaningTests {
    private static let webKit = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
    private static let blink = "AppleWebKit/537.36 (KHTML, like Gecko)"
    private static let iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) \(webKit)"

    static let people = [
        // Safari, Chrome, Firefox, Edge, Opera, Samsung Internet, DuckDuckGo, Brave, UC Browser, Yandex.
        "\(iPhone) Version/17.5 Mobile/15E148 Safari/604.1",
        "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) \(webKit) Version/17.5 Mobile/15E148 Safari/604.1",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) \(webKit) Version/17.5 Safari/605.1.15",
        "\(iPhone) CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1",
        "\(iPhone) FxiOS/127.1 Mobile/15E148 Safari/605.1.15",
        "\(iPhone) GSA/323.0.647062479 Mobile/15E148 Safari/604.1",
        "\(iPhone) Version/17.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15",
        "Mozilla/5.0 (Linux; Android 10; K) \(blink) Chrome/126.0.0.0 Mobile Safari/537.36",
        "Mozilla/5.0 (Linux; Android 14; Pixel 8 Pro) \(blink) Chrome/126.0.6478.122 Mobile Safari/537.36",
        "Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S928B) \(blink) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
        "Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0",
        "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) \(blink) Chrome/126.0.0.0 Safari/537.36",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) \(blink) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) \(blink) Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0",
        "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) \(blink) Chrome/126.0.0.0 Safari/537.36",
        "Mozilla/5.0 (Linux; arm_64; Android 13; M2101K6G) \(blink) Chrome/124.0.0.0 YaBrowser/24.6.0.76.00 Mobile Safari/537.36",
        "Mozilla/5.0 (Linux; U; Android 10; en-US; RMX1911) \(blink) Version/4.0 Chrome/78.0.3904.108 UCBrowser/13.4.0.1306 Mobile Safari/537.36",
        "Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko",
        "Opera/9.80 (J2ME/MIDP; Opera Mini/9.80 (S60; SymbOS; Opera Mobi/23.348; U; en) Presto/2.5.25 Version/10.54",
        // The webviews of apps.
        "\(iPhone) Mobile/15E148 [FBAN/FBIOS;FBAV/469.0.0.39.107;FBBV/609436382;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.5.1;FBSS/3;FBID/phone;FBLC/de_DE;FBOP/5]",
        "Mozilla/5.0 (Linux; Android 14; SM-G991B Build/UP1A.231005.007; wv) \(blink) Version/4.0 Chrome/126.0.6478.122 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/470.0.0.36.108;]",
        "\(iPhone) Mobile/15E148 Instagram 337.0.3.23.54 (iPhone14,5; iOS 17_5_1; de_DE; de; scale=3.00; 1170x2532; 615679942)",
        "Mozilla/5.0 (Linux; Android 13; SM-A536B Build/TP1A.220624.014; wv) \(blink) Version/4.0 Chrome/126.0.6478.110 Mobile Safari/537.36 Instagram 337.0.0.35.102 Android (33/13; 450dpi; 1080x2177; samsung; SM-A536B; a53x; s5e8825; de_DE; 614064285)",
        "\(iPhone) Mobile/15E148 [LinkedInApp]/9.29.8962",
        "\(iPhone) Mobile/15E148 [Pinterest/iOS]",
        "\(iPhone) Mobile/15E148 Twitter for iPhone/10.45",
        "\(iPhone) Mobile/15E148 Snapchat/12.93.0.35 (like Safari/8618.2.12.10.9, panda)",
        "\(iPhone) Mobile/15E148 musical_ly_35.1.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/de Region/DE",
        "\(iPhone) Mobile/15E148 MicroMessenger/8.0.49(0x18003133) NetType/WIFI Language/zh_CN",
        "\(iPhone) Mobile/15E148 Safari Line/14.9.0",
        "Mozilla/5.0 (Linux; Android 14; SM-S918N Build/UP1A.231005.007; wv) \(blink) Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36 KAKAOTALK/10.8.3 (INAPP)",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) \(webKit)",
        // A make of telephones whose name ends in what crawlers call themselves.
        "Mozilla/5.0 (Linux; Android 11; CUBOT NOTE 20 PRO) \(blink) Chrome/126.0.0.0 Mobile Safari/537.36",
    ]

    static let crawlers = [
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) \(blink) Chrome/126.0.6478.114 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Mozilla/5.0 \(blink) (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36",
        "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
        "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
        "Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)",
        "DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) \(webKit) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
        "Mozilla/5.0 \(blink); compatible; GPTBot/1.1; +https://openai.com/gptbot",
        "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
        "Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)",
        "ia_archiver (+http://www.alexa.com/site/help/webmasters; crawler@alexa.com)",
        "Mozilla/5.0 (X11; Linux x86_64) \(blink) HeadlessChrome/126.0.0.0 Safari/537.36",
        "Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1",
        "Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)",
        "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
        "Mozilla/5.0 (Linux; Android 11; moto g power (2022)) \(blink) Chrome/119.0.0.0 Mobile Safari/537.36 Chrome-Lighthouse",
        "curl/8.5.0", "Wget/1.21.4", "python-requests/2.32.3", "Python-urllib/3.12", "Python/3.12 aiohttp/3.9.5",
        "Go-http-client/2.0", "Java/17.0.11", "Apache-HttpClient/4.5.14 (Java/17.0.11)", "okhttp/4.12.0", "axios/1.7.2",
        "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)", "libwww-perl/6.77",
        "Scrapy/2.11.2 (+https://scrapy.org)",
    ]

    static let previewers = [
        "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
        // Messages on Apple's devices.
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
        "Twitterbot/1.0", "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
        "Slackbot 1.0 (+https://api.slack.com/robots)", "Slack-ImgProxy (+https://api.slack.com/robots)",
        "TelegramBot (like TwitterBot)", "WhatsApp/2.24.13.77 A", "WhatsApp/2.23.20.0",
        "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
        "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
        "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
        "Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)",
        "Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)",
        "Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)",
        "Iframely/1.3.1 (+https://iframely.com/docs/about)",
        "Mozilla/5.0 (Windows NT 6.1; WOW64) \(blink) Chrome/27.0.1453 Safari/537.36 Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/)",
        "http.rb/5.1.1 (Mastodon/4.2.10; +https://mastodon.social/) Bot",
        "Mozilla/5.0 (Windows NT 6.1; WOW64) \(blink) BingPreview/1.0b Safari/537.36",
    ]

    static let scanners = [
        "BarracudaCentral", "Mozilla/5.0 (compatible; Proofpoint URL Defense)", "Mimecast-URL-Scanner/1.0 Bot",
        "Mozilla/5.0 (compatible; Google-Safety; +http://www.google.com/bot.html)",
        "Mozilla/5.0 (compatible; urlscan.io; bot)", "virustotal/1.0 python-requests/2.31", "ZScaler-Crawler",
        "Mozilla/4.0 (compatible; Symantec WebPulse)", "TrendMicro-Web-Reputation bot",
    ]
}
