/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and pure functions; error texts belong to the caller. */
#include "collectors/fetch_outcome.h"

#include <inttypes.h>
#include <stddef.h>

#include "collectors/error_text.h"
#include "common/parse.h"

struct code_row {
    CURLcode code;
    enum poll_outcome outcome;
    const char *what;
};

static const struct code_row code_rows[] = {
    {CURLE_COULDNT_RESOLVE_HOST, POLL_DNS, "the host name does not resolve"},
    {CURLE_COULDNT_CONNECT, POLL_CONNECT, "no connection"},
    {CURLE_GOT_NOTHING, POLL_CONNECT, "closed without an answer"},
    {CURLE_SEND_ERROR, POLL_CONNECT, "the connection broke while asking"},
    {CURLE_RECV_ERROR, POLL_CONNECT, "the connection broke while answering"},
    {CURLE_OPERATION_TIMEDOUT, POLL_TIMEOUT, NULL}, /* see by_code() */
    {CURLE_SSL_CONNECT_ERROR, POLL_TLS, "TLS handshake failed"},
    {CURLE_PEER_FAILED_VERIFICATION, POLL_TLS, "the certificate is not trusted"},
    {CURLE_SSL_CERTPROBLEM, POLL_TLS, "the client certificate cannot be used"},
    {CURLE_SSL_CIPHER, POLL_TLS, "no common TLS cipher"},
    {CURLE_SSL_CACERT_BADFILE, POLL_TLS, "the CA file cannot be used"},
    {CURLE_SSL_CRL_BADFILE, POLL_TLS, "the CRL file cannot be used"},
    {CURLE_SSL_ISSUER_ERROR, POLL_TLS, "the certificate's issuer does not fit"},
    {CURLE_SSL_INVALIDCERTSTATUS, POLL_TLS, "the certificate's status is not good"},
    {CURLE_SSL_CLIENTCERT, POLL_TLS, "a client certificate is required"},
    {CURLE_SSL_ENGINE_NOTFOUND, POLL_TLS, "TLS cannot be set up"},
    {CURLE_SSL_ENGINE_INITFAILED, POLL_TLS, "TLS cannot be set up"},
    {CURLE_SSL_SHUTDOWN_FAILED, POLL_TLS, "TLS was not ended properly"},
    {CURLE_LOGIN_DENIED, POLL_AUTH, "the login was refused"},
    {CURLE_AUTH_ERROR, POLL_AUTH, "authentication failed"},
    {CURLE_PARTIAL_FILE, POLL_PARSE, "the answer was cut short"},
    {CURLE_BAD_CONTENT_ENCODING, POLL_PARSE, "the compressed answer cannot be read"},
    {CURLE_WRITE_ERROR, POLL_PARSE, "the compressed answer cannot be read"},
    {CURLE_UNSUPPORTED_PROTOCOL, POLL_BAD_RESPONSE, "that is not HTTP"},
    {CURLE_WEIRD_SERVER_REPLY, POLL_BAD_RESPONSE, "that is not HTTP"},
    {CURLE_HTTP2, POLL_BAD_RESPONSE, "the answer breaks HTTP"},
    {CURLE_URL_MALFORMAT, POLL_BAD_RESPONSE, "that is no URL"},
    {CURLE_FILESIZE_EXCEEDED, POLL_TOO_LARGE, "the answer is too large"},
    /* What 7.88 says to a header line without end. */
    {CURLE_OUT_OF_MEMORY, POLL_TOO_LARGE, "a header is too large or memory is out"},
#if LIBCURL_VERSION_NUM >= 0x080600
    {CURLE_TOO_LARGE, POLL_TOO_LARGE, "a header is too large"},
#endif
};

static const struct code_row other_row = {CURLE_OK, POLL_CONNECT, "the request failed"};

static const struct code_row *
find_row(CURLcode code)
{
    for (size_t i = 0; i < sizeof code_rows / sizeof code_rows[0]; i++) {
        if (code_rows[i].code == code)
            return &code_rows[i];
    }
    return &other_row;
}

static enum poll_outcome
by_code(const struct fetch_end *end, char **ret_error)
{
    const struct code_row *row = find_row(end->code);
    const char *detail =
        end->detail[0] != '\0' ? end->detail : curl_easy_strerror(end->code);
    const char *what = row->what;
    char limit[DURATION_TEXT_SIZE];

    if (row->outcome == POLL_TIMEOUT)
        what = end->http_status == 0 ? "no answer" : "the answer did not end";
    *ret_error = error_text(
        "%s: %s (%s), expected %s%s", quoted(end->where).text, what,
        sentence(detail).text,
        row->outcome == POLL_TIMEOUT ? "a complete answer within " : "an HTTP answer",
        row->outcome == POLL_TIMEOUT ? duration_text(end->timeout_ms, limit) : "");
    return row->outcome;
}

static enum poll_outcome
by_status(const struct fetch_end *end, char **ret_error)
{
    long status = end->http_status;

    if (status == 401 && end->challenge != NULL)
        *ret_error = error_text("%s: HTTP status 401, the server wants %s, which this "
                                "version does not offer",
                                quoted(end->where).text, quoted(end->challenge).text);
    else if (status == 401 || status == 403)
        *ret_error = error_text("%s: HTTP status %ld, the server wants authentication, "
                                "which this version does not offer",
                                quoted(end->where).text, status);
    else if (end->location != NULL)
        *ret_error =
            error_text("%s: HTTP status %ld to %s, expected 200 (redirects are "
                       "not followed)",
                       quoted(end->where).text, status, quoted(end->location).text);
    else
        *ret_error = error_text("%s: HTTP status %ld, expected 200",
                                quoted(end->where).text, status);
    return status == 401 || status == 403 ? POLL_AUTH : POLL_HTTP_STATUS;
}

enum poll_outcome
fetch_outcome(const struct fetch_end *end, char **ret_error)
{
    switch (end->stop) {
    case STOP_BODY:
        *ret_error =
            error_text("%s: the answer is longer than %" PRIu64 " bytes, expected less",
                       quoted(end->where).text, end->max_body);
        return POLL_TOO_LARGE;
    case STOP_HEADERS:
        *ret_error = error_text("%s: the answer's headers do not end, expected fewer",
                                quoted(end->where).text);
        return POLL_TOO_LARGE;
    case STOP_READER:
        return POLL_OK;
    case STOP_STATUS:
    case STOP_NONE:
        break;
    }
    bool answered = end->code == CURLE_OK || end->stop == STOP_STATUS ||
                    (end->http_status >= 300 && end->code != CURLE_OPERATION_TIMEDOUT);
    if (!answered)
        return by_code(end, ret_error);
    if (end->http_status != 200)
        return by_status(end, ret_error);
    return POLL_OK;
}
