package io.drayage.bench.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.codecs.work.Combination;
import io.drayage.bench.codecs.work.Form;
import io.drayage.bench.progress.LineDisplay;
import io.drayage.bench.published.PublishedFigures;
import io.drayage.cargo.ChangeCargo;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class SizeMeasurementTest {
  @Test
  void keepsAFailedCombinationAndMeasuresTheOthers() throws Exception {
    ChangeCargo cargo = ChangeCargo.builder(new UUID(0, 0), 0).build();
    Combination missing = new Combination("raw", "rar", null, Form.STREAM);
    Combination present = new Combination("raw", "none", null, Form.STREAM);
    List<SizeRow> rows =
        new SizeMeasurement(cargo, 0, PublishedFigures.none(), 0)
            .run(List.of(missing, present), new LineDisplay(new PrintWriter(Writer.nullWriter())));
    assertThat(rows.get(0).status()).hasToString("failed");
    assertThat(rows.get(0).error()).contains("'rar' is unknown");
    assertThat(rows.get(1).status()).hasToString("ok");
  }
}
