// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Row keys as Java programs make them. Arguments: a scheme's name. Input: a key in hex a line.
 * Output: the row key in hex.
 */
public final class Rows {
    private static int turn;

    private static byte[] join(byte[] prefix, byte[] key) {
        byte[] row = Arrays.copyOf(prefix, prefix.length + key.length);
        System.arraycopy(key, 0, row, prefix.length, key.length);
        return row;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The bytes before and behind the eight that hold a big-endian long. */
    private static byte[] reversedTime(byte[] key, int offset) {
        ByteBuffer row = ByteBuffer.wrap(key.clone());
        row.putLong(offset, Long.MAX_VALUE - row.getLong(offset));
        return row.array();
    }

    private static byte[] reversedDigits(byte[] key, int offset, int width) {
        String text = new String(key, StandardCharsets.ISO_8859_1);
        BigInteger time = new BigInteger(text.substring(offset, offset + width));
        BigInteger left = BigInteger.TEN.pow(width).subtract(BigInteger.ONE).subtract(time);
        String digits = String.format("%0" + width + "d", left);
        return (text.substring(0, offset) + digits + text.substring(offset + width))
            .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] row(String[] scheme, byte[] key) throws Exception {
        String text = new String(key, StandardCharsets.UTF_8);
        int last = Integer.parseInt(scheme[scheme.length - 1]);
        switch (scheme[0]) {
            case "salt":
                int width = Math.max(2, Integer.toString(last - 1).length());
                return join(bytes(String.format("%0" + width + "d-",
                    Math.abs(text.hashCode() % last))), key);
            case "hash":
                byte[] digest = MessageDigest.getInstance("MD5").digest(key);
                return join(bytes(HexFormat.of().formatHex(digest).substring(0, last)), key);
            case "phoenix":
                return join(new byte[] {(byte) Math.abs(Arrays.hashCode(key) % last)}, key);
            case "prefix-byte":
                return join(new byte[] {(byte) (turn++ % last)}, key);
            case "reverse-time":
                int offset = Integer.parseInt(scheme[1]);
                return last == 8 ? reversedTime(key, offset) : reversedDigits(key, offset, last);
            default:
                throw new IllegalArgumentException(scheme[0]);
        }
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        HexFormat hex = HexFormat.of();
        StringBuilder out = new StringBuilder();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.append(hex.formatHex(row(args[0].split(":"), hex.parseHex(line)))).append('\n');
        }
        System.out.print(out);
    }
}
