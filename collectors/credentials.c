/* SPDX-License-Identifier: Apache-2.0 */
/* Owns the password read from hbase_auth.password_file and wipes it at the end; curl
 * keeps a copy for the time of a request. Collector thread only. */
#include "collectors/credentials.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/error_text.h"
#include "collectors/file_watch.h"
#include "common/alloc.h"
#include "common/buf.h"
#include "common/file.h"

enum { PASSWORD_FILE_MAX = 4096 };

struct credentials {
    const struct auth_config *config;
    char *password; /* NULL: not read yet */
};

static void
wipe(char *secret)
{
    if (secret != NULL)
        explicit_bzero(secret, strlen(secret));
    free(secret);
}

struct credentials *
credentials_create(const struct auth_config *config)
{
    struct credentials *c = xcalloc(1, sizeof *c);

    c->config = config;
    return c;
}

struct credentials *
credentials_destroy(struct credentials *c)
{
    if (c == NULL)
        return NULL;
    wipe(c->password);
    free(c);
    return NULL;
}

/* A reload may come here while other threads read the environment: write only what is
 * new. */
static void
set_variable(const char *name, const char *value)
{
    const char *old = getenv(name);

    if (old == NULL || strcmp(old, value) != 0)
        setenv(name, value, 1);
}

void
credentials_environment(const struct auth_config *config)
{
    if (config->type != AUTH_NEGOTIATE || config->keytab == NULL)
        return;
    set_variable("KRB5_CLIENT_KTNAME", config->keytab);
    set_variable("KRB5CCNAME", "MEMORY:hotspotd");
}

int
credentials_refresh(struct credentials *c, char **ret_error)
{
    struct buf text;

    if (c->config->type != AUTH_BASIC || c->config->password_file == NULL)
        return 0;
    buf_init(&text, PASSWORD_FILE_MAX);
    int r = file_read_whole(c->config->password_file, &text, NULL);
    if (r < 0) {
        *ret_error =
            error_text("%s: %s, expected a readable file with the password",
                       quoted(c->config->password_file).text, file_error_text(r));
    } else {
        size_t len = strcspn(text.data, "\r\n");
        wipe(c->password);
        c->password = xmemdup0(text.data, len);
    }
    explicit_bzero(text.data, text.len);
    buf_finish(&text);
    return r;
}

bool
credentials_use_cookies(const struct credentials *c)
{
    return c->config->type == AUTH_NEGOTIATE;
}

void
credentials_apply(const struct credentials *c, CURL *easy)
{
    const struct auth_config *config = c->config;

    if (config->type == AUTH_BASIC) {
        curl_easy_setopt(easy, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
        curl_easy_setopt(easy, CURLOPT_USERNAME,
                         config->username != NULL ? config->username : "");
        curl_easy_setopt(easy, CURLOPT_PASSWORD,
                         c->password != NULL ? c->password : "");
    } else if (config->type == AUTH_NEGOTIATE) {
        /* An empty name and password: who we are is in the keytab or ticket cache. */
        curl_easy_setopt(easy, CURLOPT_HTTPAUTH, CURLAUTH_NEGOTIATE);
        curl_easy_setopt(easy, CURLOPT_USERPWD, ":");
    }
    if (config->ca_file != NULL)
        curl_easy_setopt(easy, CURLOPT_CAINFO, config->ca_file);
    if (config->cert_file != NULL)
        curl_easy_setopt(easy, CURLOPT_SSLCERT, config->cert_file);
    if (config->key_file != NULL)
        curl_easy_setopt(easy, CURLOPT_SSLKEY, config->key_file);
}
