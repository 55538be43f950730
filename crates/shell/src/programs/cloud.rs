//! Clients of services: what they list and show.

use super::{Row, Rule, Sub, row, sub};

/// How `gh` prints and selects. `--jq` and `--template` only shape the output.
const GH: &str = "-R: --repo: --json: -q: --jq: -t: --template: -L: --limit: -s: --state: -a: --assignee: -A: --author: -l: --label: -S: --search: --app: -m: --milestone: -c --comments -B: --base: -H: --head: --mention: -d --draft";

const GH_SUBS: &[Sub] = &[
    sub("pr list", "lists pull requests", &[GH]),
    sub("pr view", "shows a pull request", &["-R: --repo: --json: -q: --jq: -t: --template: -c --comments"]),
    sub("pr diff", "shows the changes of a pull request", &["-R: --repo: --color: --name-only --patch"]),
    sub(
        "pr status",
        "shows pull requests that matter to you",
        &["-R: --repo: --json: -q: --jq: -t: --template: -c --conflict-status"],
    ),
    sub(
        "pr checks",
        "shows the checks of a pull request",
        &["-R: --repo: --json: -q: --jq: -t: --template: --required --fail-fast"],
    ),
    sub("issue list", "lists issues", &[GH]),
    sub("issue view", "shows an issue", &["-R: --repo: --json: -q: --jq: -t: --template: -c --comments"]),
    sub("issue status", "shows issues that matter to you", &["-R: --repo: --json: -q: --jq: -t: --template:"]),
    sub(
        "run list",
        "lists workflow runs",
        &[
            "-R: --repo: --json: -q: --jq: -t: --template: -L: --limit: -b: --branch: -u: --user: -w: --workflow: -s: --status: -e: --event: -c: --commit: -a --all --created:",
        ],
    ),
    sub(
        "run view",
        "shows a workflow run",
        &[
            "-R: --repo: --json: -q: --jq: -t: --template: -j: --job: --log --log-failed -v --verbose --exit-status -a: --attempt:",
        ],
    ),
    sub("workflow list", "lists workflows", &["-R: --repo: --json: -q: --jq: -t: --template: -L: --limit: -a --all"]),
    sub("workflow view", "shows a workflow", &["-R: --repo: -r: --ref: -y --yaml"]),
    sub(
        "release list",
        "lists releases",
        &[
            "-R: --repo: --json: -q: --jq: -t: --template: -L: --limit: -O: --order: --exclude-drafts --exclude-pre-releases",
        ],
    ),
    sub("release view", "shows a release", &["-R: --repo: --json: -q: --jq: -t: --template:"]),
    sub(
        "repo list",
        "lists repositories",
        &[
            "--json: -q: --jq: -t: --template: -L: --limit: -l: --language: --topic: --visibility: --archived --no-archived --fork --source",
        ],
    ),
    sub("repo view", "shows a repository", &["-b: --branch: --json: -q: --jq: -t: --template:"]),
    sub(
        "label list",
        "lists labels",
        &["-R: --repo: --json: -q: --jq: -t: --template: -L: --limit: --order: -S: --search: --sort:"],
    ),
    sub(
        "search issues",
        "searches issues",
        &[GH, "--sort: --order: --owner: --language: --created: --updated: --match: --include-prs"],
    ),
    sub(
        "search prs",
        "searches pull requests",
        &[GH, "--sort: --order: --owner: --language: --created: --updated: --match: --merged --review:"],
    ),
    sub(
        "search code",
        "searches code",
        &[
            "-R: --repo: --json: -q: --jq: -t: --template: -L: --limit: --owner: --language: --filename: --extension: --match: --size:",
        ],
    ),
    sub(
        "search repos",
        "searches repositories",
        &["--json: -q: --jq: -t: --template: -L: --limit: --owner: --language: --sort: --order: --topic: --stars:"],
    ),
    sub(
        "search commits",
        "searches commits",
        &["-R: --repo: --json: -q: --jq: -t: --template: -L: --limit: --author: --sort: --order:"],
    ),
    sub("api", "reads from the API", &["-q: --jq: -t: --template: --paginate --slurp -i --include --verbose --silent"]),
    sub("auth status", "shows who is signed in", &["-h: --hostname: -a --active"]),
    sub("gist list", "lists gists", &["-L: --limit: --public --secret"]),
    sub("version", "shows the version", &[""]),
    sub("--version", "shows the version", &[""]),
    sub("status", "shows what is waiting for you", &["-o: --org: -e: --exclude:"]),
];

/// How `kubectl` selects and prints. Options that name a server, a configuration or a file of
/// credentials are left out.
const KUBE: &str = "-n: --namespace: -A --all-namespaces -o: --output: -l: --selector: --field-selector: --context: --cluster: --show-labels --no-headers --sort-by: --show-kind --chunk-size: -L: --label-columns: --ignore-not-found --request-timeout: --show-managed-fields -w --watch --output-watch-events --subresource:";

const KUBECTL: &[Sub] = &[
    sub("get", "lists objects", &[KUBE]),
    sub(
        "describe",
        "describes objects",
        &["-n: --namespace: -A --all-namespaces -l: --selector: --context: --cluster: --show-events --chunk-size:"],
    ),
    sub(
        "logs",
        "shows what a container printed",
        &[
            "-n: --namespace: -c: --container: -l: --selector: --context: -p --previous --since: --since-time: --tail: --timestamps --all-containers --prefix -f --follow --limit-bytes: --max-log-requests: --ignore-errors",
        ],
    ),
    sub("top node", "shows usage", &["-l: --selector: --context: --sort-by: --no-headers"]),
    sub("top nodes", "shows usage", &["-l: --selector: --context: --sort-by: --no-headers"]),
    sub(
        "top pod",
        "shows usage",
        &["-n: --namespace: -A --all-namespaces -l: --selector: --context: --containers --sort-by: --no-headers"],
    ),
    sub(
        "top pods",
        "shows usage",
        &["-n: --namespace: -A --all-namespaces -l: --selector: --context: --containers --sort-by: --no-headers"],
    ),
    sub("explain", "describes a kind of object", &["--api-version: --recursive --context: --output:"]),
    sub(
        "api-resources",
        "lists kinds of objects",
        &["--api-group: --namespaced? --no-headers -o: --output: --verbs: --sort-by: --context:"],
    ),
    sub("api-versions", "lists versions", &["--context:"]),
    sub("cluster-info", "shows the cluster", &["--context:"]),
    sub("version", "shows versions", &["--client --short -o: --output: --context:"]),
    sub("config view", "shows the configuration", &["--minify --flatten -o: --output: --context:"]),
    sub("config current-context", "shows the context", &[""]),
    sub("config get-contexts", "lists contexts", &["-o: --output: --no-headers"]),
    sub("config get-clusters", "lists clusters", &[""]),
    sub(
        "events",
        "lists events",
        &["-n: --namespace: -A --all-namespaces --for: --types: -o: --output: --context: --no-headers"],
    ),
    sub(
        "auth can-i",
        "asks whether something is allowed",
        &["-n: --namespace: -A --all-namespaces --list --no-headers -q --quiet --subresource: --context:"],
    ),
    sub(
        "rollout status",
        "shows a rollout",
        &["-n: --namespace: -l: --selector: --context: -w --watch? --timeout: --revision:"],
    ),
    sub(
        "rollout history",
        "shows rollouts",
        &["-n: --namespace: -l: --selector: --context: --revision: -o: --output:"],
    ),
];

pub(super) const ROWS: &[Row] = &[
    row(
        "gh",
        "talks to GitHub",
        Rule::Subs {
            subs: GH_SUBS,
            writes: "pr create, pr merge, pr close, pr comment, pr edit, pr review, pr ready, pr reopen, pr checkout, issue create, issue close, issue comment, issue edit, issue delete, issue reopen, release create, release delete, release upload, release download, repo create, repo delete, repo clone, repo fork, repo edit, run rerun, run cancel, run download, run delete, workflow run, workflow enable, workflow disable, alias set, config set, auth login, auth logout, gist create, gist delete, label create, label delete, secret set, variable set",
        },
    ),
    row(
        "kubectl oc",
        "talks to a cluster",
        Rule::Subs {
            subs: KUBECTL,
            writes: "apply, create, delete, edit, patch, replace, scale, set, label, annotate, expose, run, drain, cordon, uncordon, taint, cp, rollout restart, rollout undo, rollout pause, rollout resume, config set, config set-cluster, config set-context, config set-credentials, config use-context, config unset, config delete-context, autoscale",
        },
    ),
];
