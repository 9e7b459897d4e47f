// SPDX-License-Identifier: Apache-2.0

import java.util.List;

import org.apache.hadoop.hbase.util.Bytes;

/** The little JSON that answers and reports need. Members and elements are passed as JSON text. */
final class Json {
    private Json() {
    }

    static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    /** A row key or region name in HBase's binary escape. */
    static String key(byte[] bytes) {
        return quote(Bytes.toStringBinary(bytes));
    }

    static String array(List<String> elements) {
        return "[" + String.join(",", elements) + "]";
    }

    static String object(String... namesAndMembers) {
        StringBuilder out = new StringBuilder("{");
        for (int i = 0; i < namesAndMembers.length; i += 2) {
            out.append(i == 0 ? "" : ",").append(quote(namesAndMembers[i])).append(':')
                .append(namesAndMembers[i + 1]);
        }
        return out.append('}').toString();
    }

    static String ok(String... namesAndMembers) {
        return "{\"ok\":true," + object(namesAndMembers).substring(1);
    }
}
