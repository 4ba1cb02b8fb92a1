import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ComposingApi;
import org.openapitools.client.api.ConsentApi;
import org.openapitools.client.api.OrganizationsApi;
import org.openapitools.client.api.ReadingApi;
import org.openapitools.client.model.ConsentState;
import org.openapitools.client.model.Enforcement;
import org.openapitools.client.model.Forever;
import org.openapitools.client.model.GivenRetention;
import org.openapitools.client.model.InteractionList;
import org.openapitools.client.model.Message;
import org.openapitools.client.model.NewConsent;
import org.openapitools.client.model.NewOrganization;
import org.openapitools.client.model.PayloadFormat;
import org.openapitools.client.model.PayloadRequest;
import org.openapitools.client.model.RetentionPeriod;

/**
 * The way of a backend, through the client that openapi-generator generates for Java: API and operator key in the
 * environment. Prints what a test compares, as JSON.
 */
public class Flow {
    private static final String ORG = System.getenv("ORG");

    private static ApiClient through(String key) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("API"));
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
        return client;
    }

    public static void main(String[] arguments) throws Exception {
        var made = new OrganizationsApi(through(System.getenv("OPERATOR_KEY"))).createOrganization(
            new NewOrganization().id(ORG).enforcement(Enforcement.RESTRICTIVE).name("Generated").retention(
                new GivenRetention()
                    .interactionsDays(new RetentionPeriod(90))
                    .decisionsDays(new RetentionPeriod(Forever.FOREVER))));
        ApiClient backend = through(made.getKey().getKey());
        var recorded = new ConsentApi(backend).recordConsent(
            ORG, List.of(new NewConsent().recipient("ana@example.com").state(ConsentState.GIVEN)), "\"consent-1\"");
        var composed = new ComposingApi(backend).compose(
            ORG,
            new PayloadRequest()
                .format(PayloadFormat.PLAIN)
                .recipients(List.of("ana@example.com", "bo@example.com"))
                .message(new Message().name("spring-sale").link("https://shop.example/spring")),
            null);
        print(Map.of("link", composed.getPayloads().get(0).getPayload().get("link")));
        System.in.read(); // The test follows the link, and then writes a line.
        ReadingApi reading = new ReadingApi(backend);
        InteractionList feed = interactions(reading);
        for (int attempt = 0; attempt < 50 && feed.getInteractions().isEmpty(); attempt++) {
            Thread.sleep(100);
            feed = interactions(reading);
        }
        var decisions = reading.listDecisions(ORG, null, null, null, null, null, null, null).getDecisions();
        print(Map.of(
            "consent", recorded.getConsents().get(0).getState().getValue(),
            "reasons", decisions.stream().map(decision -> decision.getReason().getValue()).toList(),
            "interactions", feed.getInteractions().stream()
                .map(interaction -> List.of(interaction.getType().getValue(), interaction.getLink().getUrl()))
                .toList(),
            "cursor", !feed.getCursor().isEmpty(),
            "retention", List.of(
                made.getRetention().getInteractionsDays().getActualInstance(),
                made.getRetention().getDecisionsDays().getActualInstance()),
            "visitors", feed.getInteractions().stream().map(seen -> seen.getVisitor().getValue()).toList()));
    }

    private static InteractionList interactions(ReadingApi reading) throws Exception {
        return reading.listInteractions(ORG, null, null, null, null, null, null, null, null, null, null, null, null);
    }

    private static void print(Map<String, ?> values) throws Exception {
        System.out.println(new ObjectMapper().writeValueAsString(values));
    }
}
