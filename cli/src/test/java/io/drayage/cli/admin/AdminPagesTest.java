package io.drayage.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drayage.cli.admin.AdminServer.Answer;
import io.drayage.receive.ShipmentProgress;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class AdminPagesTest {
  private static final UUID FIRST = new UUID(0, 1);
  private static final UUID SECOND = new UUID(0, 2);

  private static JsonNode ready(int status, List<HealthCheck> checks, @Nullable NodeState state)
      throws IOException {
    Answer answer = new AdminPages("t1", checks, () -> state).ready();
    assertThat(answer.status()).as("%s", answer.text()).isEqualTo(status);
    JsonNode page = new ObjectMapper().readTree(answer.text());
    assertThat(page.get("ready").asBoolean()).isEqualTo(status == 200);
    return page;
  }

  private static NodeState standby(@Nullable String takeover, @Nullable String follow) {
    return new NodeState("standby", null, 7, 9, takeover, follow, List.of());
  }

  @Test
  void aStandbyIsReadyAsStandby() throws IOException {
    JsonNode page = ready(200, List.of(), standby(null, null));
    assertThat(page.get("role").asText()).isEqualTo("standby");
    assertThat(page.get("lag").asLong()).isEqualTo(2);
  }

  @Test
  void whoCannotTakeOverOrFollowOrHasNotStartedIsNotReady() throws IOException {
    assertThat(
            ready(503, List.of(), standby("a corrupt log", null)).get("takeoverFailure").asText())
        .isEqualTo("a corrupt log");
    assertThat(ready(503, List.of(), standby(null, "a gap")).get("followFailure").asText())
        .isEqualTo("a gap");
    assertThat(ready(503, List.of(), null).get("role").asText()).isEqualTo("starting");
  }

  @Test
  void whoseStoreHasNotAnsweredIsNotReady() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch again = new CountDownLatch(2);
    try (HealthCheck hangs =
            new HealthCheck(
                "hangs",
                () -> {
                  asked.countDown();
                  Thread.sleep(Long.MAX_VALUE);
                });
        HealthCheck fails =
            new HealthCheck(
                "fails",
                () -> {
                  again.countDown();
                  throw new IOException("out of reach");
                })) {
      assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(again.await(60, TimeUnit.SECONDS)).isTrue();

      JsonNode page = ready(503, List.of(hangs, fails), standby(null, null));

      assertThat(page.get("hangs").get("lastSuccess").isNull()).isTrue();
      assertThat(page.get("fails").get("failure").asText()).contains("out of reach");
    }
  }

  @Test
  void showsShipmentsByWorkerTheOldestFirst() throws IOException {
    NodeState state =
        new NodeState(
            "primary",
            3L,
            7,
            7,
            null,
            null,
            List.of(
                new ShipmentProgress("w2", SECOND, 1_000, 500, 2_000_000_000),
                new ShipmentProgress("w2", FIRST, 9_000, 800, 4_000_000_000L),
                new ShipmentProgress("w1", SECOND, 0, 0, 0)));

    JsonNode page =
        new ObjectMapper()
            .readTree(new AdminPages("t1", List.of(), () -> state).shipments().text());

    assertThat(page.fieldNames()).toIterable().containsExactly("w1", "w2");
    JsonNode oldest = page.get("w2").get(0);
    assertThat(oldest.get("transaction").asText()).isEqualTo(FIRST.toString());
    assertThat(oldest.get("bytesPerS").asLong()).isEqualTo(2_250);
    assertThat(oldest.get("ageS").asDouble()).isEqualTo(4);
  }

  @Test
  void showsEveryThread() {
    AdminPages pages = new AdminPages("t1", List.of(), () -> null);
    assertThat(pages.threads().text()).contains("showsEveryThread", "RUNNABLE");
    assertThat(pages.live().status()).isEqualTo(200);
  }
}
