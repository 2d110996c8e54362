package io.drayage.bench.result;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.codec.WholeFile;
import java.io.IOException;
import java.nio.file.Path;

/** Results as JSON files. */
public final class JsonFile {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .build();

  private JsonFile() {}

  /**
   * Writes {@code result} as JSON, see {@link WholeFile#stream}. Null is written as null.
   *
   * @throws IOException if the file cannot be written
   */
  public static void write(Path file, Object result) throws IOException {
    WholeFile.stream(
        file,
        out -> {
          JSON.writeValue(out, result);
          out.write('\n');
        });
  }

  /**
   * Reads a file of {@link #write}.
   *
   * @throws IOException if the file cannot be read or holds something else
   */
  public static <T> T read(Path file, Class<T> type) throws IOException {
    return JSON.readValue(file.toFile(), type);
  }
}
