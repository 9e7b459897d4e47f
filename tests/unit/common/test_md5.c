/* SPDX-License-Identifier: Apache-2.0 */
/* MD5: the suite of RFC 1321 and HBase's encoded region names. */
#include "common/md5.h"

#include <string.h>

#include "tests/unit/common/harness.h"

static void
assert_md5(const char *data, size_t len, const char *want)
{
    uint8_t digest[16];
    char text[33];

    md5_bytes(data, len, digest);
    for (size_t i = 0; i < 16; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    ck_assert_str_eq(text, want);
}

START_TEST(rfc_1321)
{
    assert_md5(NULL, 0, "d41d8cd98f00b204e9800998ecf8427e");
    assert_md5("abc", 3, "900150983cd24fb0d6963f7d28e17f72");
    assert_md5("message digest", 14, "f96b697d7cb7938d525a2f31aaf161d0");
}
END_TEST

#define ASSERT_NAME(name, want) assert_md5(name, sizeof(name) - 1, want)

START_TEST(region_names)
{
    ASSERT_NAME("t1,,1700000000000", "43ae7364b4a555b93267937f9bc49ec1");
    ASSERT_NAME("t1,m|x,1700000000000", "559c866be4d8e88493aa20d313edf76d");
    ASSERT_NAME("t1,m|x,1700000000000_0001", "722b49d2113a4793d9a6c05a47d9c977");
    ASSERT_NAME("ns1:orders,\0A,1700000000001", "2d12a973e75c9426016c9cc1c447e0a4");
    ASSERT_NAME("ns1:orders,,1700000000000", "8fdfb7ba2f0016f124b59812a3ca60a3");
    ASSERT_NAME("ns1:orders,\0\xFFz,1700000000001", "39a8ebc2b9a7dd602aebfdd3d37d29f5");
}
END_TEST

TEST_MAIN("md5", rfc_1321, region_names)
