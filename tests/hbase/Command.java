// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A command's verb, words and options ({@code --name value}). Asking for an option takes it out;
 * finish() refuses those that nobody asked for.
 */
final class Command {
    final String verb;
    private final List<String> words = new ArrayList<>();
    private final Map<String, String> options = new HashMap<>();

    Command(List<String> text) throws Load.UsageException {
        verb = text.get(0);
        for (int i = 1; i < text.size(); i++) {
            String word = text.get(i);
            if (!word.startsWith("--")) {
                words.add(word);
            } else if (i + 1 == text.size()) {
                throw new Load.UsageException(word + " needs a value");
            } else if (options.put(word.substring(2), text.get(++i)) != null) {
                throw new Load.UsageException(word + " given twice");
            }
        }
    }

    void expectWords(int count) throws Load.UsageException {
        if (words.size() != count) {
            throw new Load.UsageException(
                verb + ": " + count + " words wanted, " + words.size() + " given");
        }
    }

    String word(int i) {
        return words.get(i);
    }

    /** The first of {@code count} words as a table's name. */
    TableName table(int count) throws Load.UsageException {
        expectWords(count);
        try {
            return TableName.valueOf(words.get(0));
        } catch (IllegalArgumentException e) {
            throw new Load.UsageException("not a table name: '" + words.get(0) + "'");
        }
    }

    /** A row key in HBase's binary escape; two quotes stand for the empty one. */
    byte[] key(int i) {
        return words.get(i).equals("\"\"") ? new byte[0] : Bytes.toBytesBinary(words.get(i));
    }

    String option(String name, String otherwise) {
        String value = options.remove(name);
        return value == null ? otherwise : value;
    }

    int integer(String name, int otherwise) throws Load.UsageException {
        String text = option(name, "" + otherwise);
        if (!text.matches("[0-9]{1,9}")) {
            throw new Load.UsageException("--" + name + ": not a whole number: '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    /** One rate for each of {@code count} regions; null when the option was not given. */
    double[] rates(String name, int count) throws Load.UsageException {
        String text = option(name, null);
        if (text == null) {
            return null;
        }
        String[] parts = text.split(",", -1);
        if (parts.length != count) {
            throw new Load.UsageException(
                "--" + name + ": " + parts.length + " rates for " + count + " regions");
        }
        double[] rates = new double[count];
        for (int i = 0; i < count; i++) {
            if (!parts[i].matches("[0-9]{1,6}(\\.[0-9]{1,6})?")) {
                throw new Load.UsageException("--" + name + ": not a rate: '" + parts[i] + "'");
            }
            rates[i] = Double.parseDouble(parts[i]);
        }
        return rates;
    }

    void finish() throws Load.UsageException {
        for (String name : options.keySet()) {
            throw new Load.UsageException(verb + ": no option --" + name);
        }
    }
}
