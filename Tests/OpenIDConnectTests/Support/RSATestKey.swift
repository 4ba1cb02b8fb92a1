/// A key of these tests alone, made with `openssl genpkey`: JWTKit reads RSA keys and makes none.
enum RSATestKey {
    static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDc92DxiCZONhKq
        xBcjv7w6qi81A6v/kiOETbURm/woAuaEfWr2WAZXK8f0BuJX4aM5zL7EJ0hSEJOF
        Uo0J9itoTKwelXl8rebzs4sGIktK2f+6tchnYqYFwLPiOXBwsDt1CVu0wmIE1bLK
        p43yYIAAJke7J+xef0Ua2D+XdTyVnZf8xGDlZyl+3dVY9rUTZ0nojEx52XZjJ4R1
        B4kMMAU6fUB+HYWk2UA6Rc/u6wZs3HrSlI13H9R1wv+BZ7fedkqH3FocZfcMoUjZ
        zP+6o2P/PQIrLxgpMcJxwAt0bAotXyHlcVFmVyHNdcOC/ML8ndNNsV66+SXXB5y/
        DFJvItEtAgMBAAECggEACMH/RCNuzTvEaqNB/Yc8aSDUpSfDmeoLYVOJIS0LBfTz
        eP3VjvT3L15LWwco0m3df813JCQgcCw7BJY8g9APcV9UlRO8kG3+ENulX3VdgZZ5
        VcedrUdSKDk2h/lZ1QWPHbjkuxnXM7TalMCmVhxwBlF+F1NiQW6O6Rz4DEM3xwA4
        qu12rgS9Wx9kOHSaZ4+VhYQ8rAiPVR/oiPwyyc8BcVNMAOSPaLyxKdNmp80zBRGB
        mc/dXfd3MetY4DE7Yh89BQ7v/THx79u+Jlzq/eRZoW0epfAThUD9kbzUe3hhF0s2
        tYmelEicsTcfMiqR3ZezkGPK6FKFOmeSGZxt3DqlKwKBgQDurHsgOoLTz2U3/4I0
        5rhwhiUyNNmg7TX3KFdVn7/MXo5mu6QIUOdwKgoEK/ZYNRNTJ7Gogekqywf99P2y
        ay64NXwUyAoGunS9AU9N1LTqOecKBN1zub8h8Qu07jCLMND+S+4JFPRy3wLiLDCm
        TIZ47MnacKHw7H+7MgOzSyOsCwKBgQDtAdKH7O6+qVYWC/U6oHzffCZVIVkwNn+0
        JCicFvYJa8CYZeyGN8v6GI4kPsG+meVf6Wx2GUCZ3Cb+ox7p962QOQ0iR5pDOelU
        fvInTCZndh8EUNLnLLlbyVmxnCzBfrfT/Z0XvTyLXp/IB+0TdPNp8QH/xSYe5Wz5
        iA2/2ICCpwKBgB8M1V/V/Nstag+k7/2N3oTVDtW/RmjHM3QaDXKYO82Mp53531ct
        n05aSb9NMNk83my9B0HS1NC6ZSnGy5KAmy1f1+qkM5m4fCNyniyT9Y1bRxFonJ7H
        lXQG9ezt5+bTzPyoSClqTnr7RFbERPf9kKj+tSvz5z1+pwdldFHI/rUNAoGAT6eP
        JFPDIZ0z65D1SFDr5wiIsY/Vs9h9LwQACgXFhwEJ565Jwgo6qcFa9F+LKg37AzMm
        WsK97XgKOwaDu0qcsJ4cBetesz1haB6KMB7twVP3tLGdUEi9u1V+qay9dgKqsbrI
        81OMZ6LTvJy9Vw61SGPRsi6GU1f0OiE5zcJr3n0CgYEA3uQq6kfKBplmks4Ihkih
        BcalynX+6y0Vh7VShPVyK+rNzBroVnhYMBaGyN0ljsPVVnSdhRYhsmFjQSw+syng
        elLRu2LNGNjYIGFx9It6vPmRItPOYNoXQ1ioypWBJziRfRpZ+rQWpUZNN3Mtf6Xw
        BiOzm4qFltwawrCdgtQ+3c8=
        -----END PRIVATE KEY-----
        """
}
